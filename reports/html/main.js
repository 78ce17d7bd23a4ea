"use strict";
// The last script: all pages are registered.

startTheme();
drawFrame(data());
startRouter();
