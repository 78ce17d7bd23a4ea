#pragma once

#include <boost/multiprecision/cpp_int.hpp>

/// An integer that holds the exact value of any node. For the oracle's own
/// tests: Boost stays out of the public headers.
namespace lanediff::oracle {

/// Signed, 640 bits, without allocation. A sum of two floats, in units of
/// 2^-149, needs 278 bits; a product, in units of 2^-298, needs 554.
using Wide = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<
        640, 640, boost::multiprecision::signed_magnitude,
        boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

}  // namespace lanediff::oracle
