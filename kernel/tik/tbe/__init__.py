"""Where scripts look for TIK. What else they import from here their user
supplies, in a folder of this name on the path."""

import pkgutil

__path__ = pkgutil.extend_path(__path__, __name__)
