# A project of its own: cmake -B build && cmake --build build
cmake_minimum_required(VERSION 3.25)
project(model VERSION 1.0.0 LANGUAGES CXX)
find_package(lanediff 1.0 CONFIG REQUIRED)
add_executable(model model.cc)
target_link_libraries(model PRIVATE lanediff::lanediff)
