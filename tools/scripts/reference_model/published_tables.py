"""Tables of Memory矢量计算接口边界值汇总, as they are printed: nothing is computed.

src0, src1, ieee, saturating. max and lowest are the largest value of the type and the
smallest (of a floating one the smallest finite); alternatives are set apart by a slash.
Tables other than those of Sub and SubRelu have a pair of operands in one order only. Left out,
because the page contradicts itself: the result of Abs for a NaN of float in saturation mode,
0.0, as its introduction gives float no such mode; those of LeakyRelu for lowest times an
infinity in that mode ("?"), of the other sign than without it; -0/inf of AddRelu, and
-inf/-inf and 0/-inf of SubRelu, where results of -inf are listed, as other rows have them.
Where AddRelu and SubRelu have any operands whose sum or difference is max or lowest, these
are it and 0; where a product is to be one of them, its factors are it and 1. Of tables 20 to
23 also ("?"): the sum of zeros of both signs in saturation mode, -0, and infinities that are
kept there; max + max, which is max without the mode. The largest int32 is 2147483648 in the tables of
Adds, Muls, Maxs and Mins, which int32 does not have; here it is max, as in that of Add.
Of tables 3 and 5 to 7 the results that are printed to a few digits ("?"), as no page states
how near they are. Of table 31 NE with a NaN as the scalar in saturation mode: four rows of
half have 1, and the note below them 0; a result there of GT that lacks its first digit is
that of table 30, whose row is whole without the mode.
"""

TITLE = "Memory矢量计算接口边界值汇总"

ADDITIONS = """
lowest lowest/-inf  -inf   lowest
lowest max          0      0
lowest 0/-0         lowest lowest
lowest nan          nan    0
lowest inf          inf    max
max    max/inf      inf    max
max    0/-0         max    max
max    nan          nan    0
max    -inf         -inf   lowest
0      0/-0         0      0
0      nan          nan    0
0      inf          inf    max
0      -inf         -inf   lowest
-0     -0           -0     -0
-0     nan          nan    0
-0     inf          inf    max
-0     -inf         -inf   lowest
nan    nan/inf/-inf nan    0
inf    inf          inf    max
inf    -inf         nan    0
-inf   -inf         -inf   lowest
"""

DIFFERENCES = """
lowest lowest                       0      0
lowest max                          -inf   lowest
lowest 0/-0                         lowest lowest
lowest nan                          nan    0
lowest inf                          -inf   lowest
lowest -inf                         inf    max
max    lowest                       inf    max
max    max                          0      0
max    0/-0                         max    max
max    nan                          nan    0
max    inf                          -inf   lowest
max    -inf                         inf    max
0/-0   lowest                       max    max
0/-0   max                          lowest lowest
0/-0   nan                          nan    0
0/-0   inf                          -inf   lowest
0/-0   -inf                         inf    max
0      0/-0                         0      0
-0     0                            -0     -0
-0     -0                           0      0
nan    lowest/max/0/-0/nan/inf/-inf nan    0
inf    lowest/max/0/-0/-inf         inf    max
inf    nan/inf                      nan    0
-inf   lowest/max/0/-0/inf          -inf   lowest
-inf   nan/-inf                     nan    0
"""

PRODUCTS = """
lowest lowest inf  max
lowest max    -inf lowest
lowest 0      -0   -0
lowest -0     0    0
lowest nan    nan  0
lowest inf    -inf lowest
lowest -inf   inf  max
max    max    inf  max
max    0      0    0
max    -0     -0   -0
max    nan    nan  0
max    inf    inf  max
max    -inf   -inf lowest
0      0      0    0
0      -0     -0   -0
0      nan    nan  0
0      inf    nan  0
0      -inf   nan  0
-0     -0     0    0
-0     nan    nan  0
-0     inf    nan  0
-0     -inf   nan  0
nan    nan    nan  0
nan    inf    nan  0
nan    -inf   nan  0
inf    inf    inf  max
inf    -inf   -inf lowest
-inf   -inf   inf  max
"""

MAXIMA = """
lowest lowest/-inf     lowest lowest
lowest max             max    max
lowest 0               0      0
lowest -0              -0     -0
lowest nan             nan    0
lowest inf             inf    max
max    max/0/-0/-inf   max    max
max    nan             nan    0
max    inf             inf    max
0      0/-0/-inf       0      0
0      nan             nan    0
0      inf             inf    max
-0     -0/-inf         -0     -0
-0     nan             nan    0
-0     inf             inf    max
nan    nan/inf/-inf    nan    0
inf    inf/-inf        inf    max
-inf   -inf            -inf   lowest
"""

MINIMA = """
lowest lowest lowest lowest
lowest max    lowest lowest
lowest 0      lowest lowest
lowest -0     lowest lowest
lowest inf    lowest lowest
lowest nan    nan    0
lowest -inf   -inf   lowest
max    max    max    max
max    inf    max    max
max    0      0      0
max    -0     -0     -0
max    nan    nan    0
max    -inf   -inf   lowest
0      0      0      0
0      inf    0      0
0      -0     -0     -0
0      nan    nan    0
0      -inf   -inf   lowest
-0     -0     -0     -0
-0     inf    -0     -0
-0     nan    nan    0
-0     -inf   -inf   lowest
nan    nan    nan    0
nan    inf    nan    0
nan    -inf   nan    0
inf    inf    inf    max
inf    -inf   -inf   lowest
-inf   -inf   -inf   lowest
"""

QUOTIENTS = """
lowest lowest                       1    1
lowest max                          -1   -1
lowest 0                            -inf lowest
lowest -0                           inf  max
lowest nan                          nan  0
lowest inf                          -0   -0
lowest -inf                         0    0
max    lowest                       -1   -1
max    max                          1    1
max    0                            inf  max
max    -0                           -inf lowest
max    nan                          nan  0
max    inf                          0    0
max    -inf                         -0   -0
0      lowest/-inf                  -0   -0
0      max/inf                      0    0
0      0/-0/nan                     nan  0
-0     lowest/-inf                  0    0
-0     max/inf                      -0   -0
-0     0/-0/nan                     nan  0
nan    lowest/max/0/-0/nan/inf/-inf nan  0
inf    lowest/-0                    -inf lowest
inf    max/0                        inf  max
inf    nan/inf/-inf                 nan  0
-inf   lowest/-0                    inf  max
-inf   max/0                        -inf lowest
-inf   nan/inf/-inf                 nan  0
"""

# src, ieee, saturating.
EXPONENTIALS = """
lowest/-inf 0   0
max/inf     inf max
0/-0        1   1
nan         nan 0
"""

LOGARITHMS = """
lowest/nan/-inf nan  0
max             ?    ?
0/-0            -inf lowest
inf             inf  max
"""

RECIPROCALS = """
lowest/max ?    ?
0          inf  max
-0         -inf lowest
nan        nan  0
inf        0    0
-inf       -0   -0
"""

ROOTS = """
lowest/nan/-inf nan 0
max             ?   ?
0               0   0
-0              -0  -0
inf             inf max
"""

RECIPROCALS_OF_ROOTS = """
lowest/nan/-inf nan  0
max             ?    ?
0               inf  max
-0              -inf lowest
inf             0    0
"""

MAGNITUDES = """
lowest max max
max    max max
0/-0   0   0
nan    nan 0
inf    inf max
-inf   inf max
"""

POSITIVES = """
lowest 0   0
max    max max
0/-0   0   0
nan    nan 0
inf    inf max
-inf   0   0
"""

# Of src without a sign it is src.
LEAKS = """
lowest lowest                       inf  max
lowest max                          -inf lowest
lowest 0                            -0   -0
lowest -0                           0    0
lowest nan                          nan  0
lowest inf                          -inf ?
lowest -inf                         inf  ?
max    lowest/max/0/-0/nan/inf/-inf max  max
0      lowest/max/0/-0/nan/inf/-inf 0    0
-0     lowest/-0                    0    0
-0     max/0                        -0   -0
-0     nan/inf/-inf                 nan  0
nan    lowest/max/0/-0/nan/inf/-inf nan  0
inf    lowest/max/0/-0/nan/inf/-inf inf  max
-inf   lowest/-inf                  inf  max
-inf   max/inf                      -inf lowest
-inf   0/-0/nan                     nan  0
"""

POSITIVE_ADDITIONS = """
0      0/-0                         0   0
-0     -0                           0   0
inf    inf/max/lowest               inf max
0/-0   inf                          inf max
max    max                          inf max
-inf   -inf/max/lowest              0   0
0      -inf                         0   0
lowest lowest                       0   0
max    0                            max max
lowest 0                            0   0
nan    lowest/max/0/-0/nan/inf/-inf nan 0
inf    -inf                         nan 0
"""

POSITIVE_DIFFERENCES = """
0      0/-0                         0   0
-0     0                            0   0
inf    -inf/max/lowest              inf max
0/-0   -inf                         inf max
max    lowest/-inf                  inf max
lowest -inf                         inf max
-inf   max/lowest                   0   0
-0     inf                          0   0
lowest lowest                       0   0
max    0                            max max
lowest 0                            0   0
nan    lowest/max/0/-0/nan/inf/-inf nan 0
inf    inf                          nan 0
-inf   -inf                         nan 0
"""

# Factors, the third operand, ieee, saturating.
ACCUMULATIONS = """
0*0,-0*-0,0*max,-0*lowest                 0      0      0
0*0,-0*-0,0*max,-0*lowest                 -0     0      ?
0*0,-0*-0,0*max,-0*lowest                 inf    inf    max
0*0,-0*-0,0*max,-0*lowest                 -inf   -inf   lowest
0*0,-0*-0,0*max,-0*lowest                 max    max    max
0*0,-0*-0,0*max,-0*lowest                 lowest lowest lowest
0*0,-0*-0,0*max,-0*lowest                 nan    nan    0
0*-0,0*lowest,-0*max                      0      0      0
0*-0,0*lowest,-0*max                      -0     -0     -0
0*-0,0*lowest,-0*max                      inf    inf    ?
0*-0,0*lowest,-0*max                      -inf   -inf   ?
0*-0,0*lowest,-0*max                      max    max    max
0*-0,0*lowest,-0*max                      lowest lowest lowest
0*-0,0*lowest,-0*max                      nan    nan    0
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest 0      inf max
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest -0     inf max
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest inf    inf max
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest -inf   nan lowest
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest max    inf max
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest lowest inf 0
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest nan    nan 0
inf*-inf,inf*lowest,-inf*max,max*lowest   0      -inf   lowest
inf*-inf,inf*lowest,-inf*max,max*lowest   -0     -inf   lowest
inf*-inf,inf*lowest,-inf*max,max*lowest   inf    nan    max
inf*-inf,inf*lowest,-inf*max,max*lowest   -inf   -inf   lowest
inf*-inf,inf*lowest,-inf*max,max*lowest   max    -inf   0
inf*-inf,inf*lowest,-inf*max,max*lowest   lowest -inf   lowest
inf*-inf,inf*lowest,-inf*max,max*lowest   nan    nan    0
max*1                                     0/-0   max    max
max*1                                     inf    inf    max
max*1                                     -inf   -inf   lowest
max*1                                     max    ?      max
max*1                                     lowest 0      0
max*1                                     nan    nan    0
lowest*1                                  0/-0   lowest lowest
lowest*1                                  inf    inf    max
lowest*1                                  -inf   -inf   lowest
lowest*1                                  max    0      0
lowest*1                                  lowest -inf   lowest
lowest*1                                  nan    nan    0
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         0/-0   nan    0
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         inf    nan    max
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         -inf   nan    lowest
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         max    nan    max
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         lowest nan    lowest
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         nan    nan    0
"""

POSITIVE_ACCUMULATIONS = """
0*0,-0*-0,0*max,-0*lowest                 0/-0   0      0
0*0,-0*-0,0*max,-0*lowest                 inf    inf    max
0*0,-0*-0,0*max,-0*lowest                 -inf   0      0
0*0,-0*-0,0*max,-0*lowest                 max    max    max
0*0,-0*-0,0*max,-0*lowest                 lowest 0      0
0*0,-0*-0,0*max,-0*lowest                 nan    nan    0
0*-0,0*lowest,-0*max                      0/-0   0      0
0*-0,0*lowest,-0*max                      inf    inf    max
0*-0,0*lowest,-0*max                      -inf   0      0
0*-0,0*lowest,-0*max                      max    max    max
0*-0,0*lowest,-0*max                      lowest 0      0
0*-0,0*lowest,-0*max                      nan    nan    0
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest 0/-0   inf max
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest inf    inf max
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest -inf   nan 0
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest max    inf max
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest lowest inf 0
inf*inf,inf*max,-inf*lowest,max*max,lowest*lowest nan    nan 0
inf*-inf,inf*lowest,-inf*max,max*lowest   0/-0   0      0
inf*-inf,inf*lowest,-inf*max,max*lowest   inf    nan    max
inf*-inf,inf*lowest,-inf*max,max*lowest   -inf/max/lowest 0 0
inf*-inf,inf*lowest,-inf*max,max*lowest   nan    nan    0
max*1                                     0/-0   max    max
max*1                                     inf    inf    max
max*1                                     -inf   0      0
max*1                                     max    ?      max
max*1                                     lowest 0      0
max*1                                     nan    nan    0
lowest*1                                  0/-0   0      0
lowest*1                                  inf    inf    max
lowest*1                                  -inf/max/lowest 0 0
lowest*1                                  nan    nan    0
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         0/-0   nan    0
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         inf/max nan   max
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         -inf/lowest nan 0
nan*1,0*inf,0*-inf,-0*inf,-0*-inf         nan    nan    0
"""

INTEGER_ADDITIONS = """
lowest lowest 0  lowest
lowest max    -1 -1
max    max    -2 max
"""

INTEGER_PRODUCTS = """
lowest lowest 0      max
lowest max    lowest lowest
max    max    1      max
"""

INTEGER_MAXIMA = """
lowest lowest lowest lowest
lowest max    max    max
max    max    max    max
"""

INTEGER_MINIMA = """
lowest lowest/max lowest lowest
max    max        max    max
"""

# The number of the table, its rows of floating types, and those of integers. The second
# operand of Adds and its like is a scalar.
ELEMENTWISE = {
    "Exp": (2, EXPONENTIALS, ""),
    "Ln": (3, LOGARITHMS, ""),
    "Reciprocal": (5, RECIPROCALS, ""),
    "Sqrt": (6, ROOTS, ""),
    "Rsqrt": (7, RECIPROCALS_OF_ROOTS, ""),
    "Div": (12, QUOTIENTS, ""),
    "Abs": (4, MAGNITUDES, ""),
    "Relu": (8, POSITIVES, """
lowest 0   0
max    max max
"""),
    "Add": (9, ADDITIONS, INTEGER_ADDITIONS),
    "Adds": (15, ADDITIONS, INTEGER_ADDITIONS),
    "Sub": (10, DIFFERENCES, """
lowest lowest 0  0
lowest max    1  lowest
max    lowest -1 max
max    max    0  0
"""),
    "Mul": (11, PRODUCTS, INTEGER_PRODUCTS),
    "Muls": (16, PRODUCTS, INTEGER_PRODUCTS),
    "Max": (13, MAXIMA, INTEGER_MAXIMA),
    "Maxs": (17, MAXIMA, INTEGER_MAXIMA),
    "Min": (14, MINIMA, INTEGER_MINIMA),
    "Mins": (18, MINIMA, INTEGER_MINIMA),
    "LeakyRelu": (19, LEAKS, ""),
    "AddRelu": (24, POSITIVE_ADDITIONS, ""),
    "SubRelu": (25, POSITIVE_DIFFERENCES, ""),
}

# Mode, src0, and a bit for each src1, or scalar, of COMPARED; of int32 the first two of EQ.
# The tables have the same in both modes of saturation.
COMPARED = ("lowest", "max", "0", "-0", "nan", "inf", "-inf")
COMPARISONS = """
EQ lowest 1000000
EQ max    0100000
EQ 0/-0   0011000
EQ nan    0000000
EQ inf    0000010
EQ -inf   0000001
GE lowest 1000001
GE max    1111001
GE 0/-0   1011001
GE nan    0000000
GE inf    1111011
GE -inf   0000001
GT lowest 0000001
GT max    1011001
GT 0/-0   1000001
GT nan    0000000
GT inf    1111001
GT -inf   0000000
LE lowest 1111010
LE max    0100010
LE 0/-0   0111010
LE nan    0000000
LE inf    0000010
LE -inf   1111011
LT lowest 0111010
LT max    0000010
LT 0/-0   0100010
LT nan    0000000
LT inf    0000000
LT -inf   1111010
NE lowest 0111011
NE max    1011011
NE 0/-0   1100011
NE nan    0000000
NE inf    1111001
NE -inf   1111010
"""
COMPARING = {"Compare": 30, "CompareScalar": 31}

# Calls that read dst, too: the number of the table, its rows, and where the second factor
# and what is added stand.
ON_DST = {
    "Axpy": (20, ACCUMULATIONS, "scalar", "dst"),
    "MulAddDst": (21, ACCUMULATIONS, "src1", "dst"),
    "FusedMulAdd": (22, ACCUMULATIONS, "dst", "src1"),
    "MulAddRelu": (23, POSITIVE_ACCUMULATIONS, "dst", "src1"),
}

# Elements of a full repeat: these in turn, or all 1 but the last; ieee, saturating.
SUMS = """
lowest       -inf lowest
max          inf  max
0            0    0
-0           -0   -0
nan          nan  0
inf          inf  max
-inf         -inf lowest
inf,-inf,nan nan  0
inf,-inf     nan  0
inf,nan      nan  0
-inf,nan     nan  0
1...inf      inf  max
1...-inf     -inf -65376
1...nan      nan  126
"""


def products(table):
    """Its rows with both factors by themselves."""
    for factors, *row in rows(table):
        for pair in factors.split(","):
            yield pair.split("*") + row


def comparisons(dtype):
    """Mode, both operands and the bit."""
    for line in COMPARISONS.split("\n")[1:-1]:
        mode, words, bits = line.split()
        for left in words.split("/"):
            for right, bit in zip(COMPARED, bits):
                if dtype != "int32" or (mode == "EQ" and {left, right} <= {"lowest", "max"}):
                    yield mode, left, right, bit


def rows(table):
    """Its lines in cells; one with alternatives is several."""
    for line in table.split("\n"):
        if line:
            left, *middle, ieee, saturating = line.split()
            for a in left.split("/"):
                for b in middle[0].split("/") if middle else [None]:
                    yield [a] + ([b] if middle else []) + [ieee, saturating]
