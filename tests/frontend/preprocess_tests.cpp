// The preprocessor against the C++ rules that GLSL 4.60, 3.3 refers to: text in, tokens and diagnostics out. The rows
// without diagnostics give the same tokens with other preprocessors where those follow the rules.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/frontend/preprocess_support.hpp"

using namespace coopc::frontend;
using namespace coopc::tests;

namespace {

struct Row {
  std::string_view source;
  std::string_view text;         // tokens, with the blanks of the text output, lines joined
  std::string_view diagnostics;  // identifiers in the order of report
};

constexpr Row kRows[] = {
    {R"(#version 450
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
)",
     R"(f(2 * (y + 1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); f(2 * (2 + (3, 4) - 0, 1)) | f(2 * (~ 5)) & f(2 * (0, 1)) ^ m(0, 1); int i[] = { 1, 23, 4, 5, };)",
     ""},
    {R"(#version 450
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),
 t(10,,), t(,11,), t(,,12), t(,,) };
)",
     R"(int j[] = { 123, 45, 67, 89, 10, 11, 12, };)", ""},
    {R"(#version 450
#define f(a) a*g
#define g(a) f(a)
f(2)(9)
)",
     R"(2 * 9 * g)", ""},
    {R"(#version 450
#define f(x) x f
f(1)(2)(3)
)",
     R"(1 f(2) (3))", ""},
    {R"(#version 450
#define foo() bar
foo
()
foo ( ) ;
foo
)",
     R"(bar bar; foo)", ""},
    {R"(#version 450
#define EMPTY
#define LP (
#define f(x) [x]
f EMPTY (1) f LP 1) f(EMPTY) f( EMPTY 1 EMPTY )
)",
     R"(f(1) f(1)[][1])", ""},
    {R"(#version 450
#define EMPTY
#define DEFER(id) id EMPTY
#define A() 123
DEFER(A) ()
#define EXPAND(x) x
EXPAND(DEFER(A) ())
)",
     R"(A() 123)", ""},
    {R"(#version 450
#define CAT(a,b) a##b
#define XCAT(a,b) CAT(a,b)
#define A 1
#define B 2
CAT(A,B) XCAT(A,B) CAT(CAT(1,2),3) XCAT(XCAT(1,2),3)
)",
     R"(AB 12 CAT(1, 2) 123)", "paste-invalid"},
    {R"(#version 450
#define a b
#define b a
a b
)",
     R"(a b)", ""},
    {R"(#version 450
#define a a b
#define b b a
a
b
)",
     R"(a b a b a b)", ""},
    {R"(#version 450
#define f(x) g(x) + f(x)
#define g(x) f(x) - g(x)
f(1)
)",
     R"(f(1) - g(1) + f(1))", ""},
    {R"(#version 450
#define obj (1 - 1)
#define func(a) ( a )
obj func(obj) func(func(2)) func((a,b))
)",
     R"((1 - 1) ((1 - 1)) ((2)) ((a, b)))", ""},
    {R"(#version 450
#if 1 ? 1 : 0
#endif
)",
     R"()", "extra-tokens"},
    {R"(#version 450
#if 0x10 == 16 && 010 == 8 && 10u == 10
yes
#endif
#if -1 < 0
yes2
#endif
#if (2 + 3) * 4 == 20 && 2 + 3 * 4 == 14
yes3
#endif
#if 1 << 4 == 16
yes4
#else
no4
#endif
#if 7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1
yes5
#endif
#if !0 && ~0 == -1 && !5 == 0
yes6
#endif
#if 1 | 2 ^ 3 & 4
yes7
#endif
)",
     R"(yes yes2 yes3 yes4 yes5 yes6 yes7)", ""},
    {R"(#version 450
#if 0
a
#elif 1
b
#elif 1
c
#else
d
#endif
#if 1
#if 0
x
#else
y
#endif
#else
z
#endif
)",
     R"(b y)", ""},
    {R"(#version 450
#if 0
#if 1
a
#elif 0
#else
#endif
#foo bar
#error no
# 17
' " /* #endif
*/
// #endif
// \
#endif
x
#else
ok
#endif
)",
     R"(ok)", ""},
    {R"(#version 450
#ifdef A
a
#else
b
#endif
#define A
#ifdef A
c
#endif
#ifndef A
d
#endif
#if defined A && defined(A) && !defined B && !defined ( B )
e
#endif
)",
     R"(b c e)", ""},
    {R"(#version 450
#define A 1
#if A
#undef A
a
#if A
b
#endif
#endif
)",
     R"(a)", ""},
    {R"(#version 450
a /* c */ b // d
e /**/f
g/* multi
line */h
i // cont \
j
k
)",
     R"(a b e f g h i k)", ""},
    {R"(#version 450
ab\
cd 12\
34 +\
+ <\
<\
= /\
/ comment
x /\
* foo *\
/ y
)",
     R"(abcd 1234 ++ <<= x y)", ""},
    {R"(#version 450
#def\
ine A\
BC 1 \
 + 2
ABC
)",
     R"(1 + 2)", ""},
    {R"(#version 450
# define A 1
  #  define B 2
	#	define C 3
#
# /* c */
/* c */ # define D 4
A B C D
)",
     R"(1 2 3 4)", ""},
    {R"(#version 450
#define A(x) x+x
A(1) A (2) A
(3)
A( 1 , 2 )
)",
     R"(1 + 1 2 + 2 3 + 3)", "macro-argument-count"},
    {R"(#version 450
#define A(x,y) x+y
A(1)
)",
     R"()", "macro-argument-count"},
    {R"(#version 450
#define A() 5
A(1)
)",
     R"()", "macro-argument-count"},
    {R"(#version 450
#define A(x) [x]
A() A( ) A((,)) A((1,2))
)",
     R"([][][(,)][(1, 2)])", ""},
    {R"(#version 450
#define A( x , y ) x - y
A( (1,2) , 3 )
A(A(1,2),A(3,4))
)",
     R"((1, 2) - 3 1 - 2 - 3 - 4)", ""},
    {R"(#version 450
#define F(x x
)",
     R"()", "macro-parameter-malformed"},
    {R"(#version 450
#define F(x,) x
)",
     R"()", "macro-parameter-malformed"},
    {R"(#version 450
#define F(1) x
)",
     R"()", "macro-parameter-malformed"},
    {R"(#version 450
#define F(x,x) x
)",
     R"()", "macro-parameter-twice"},
    {R"(#version 450
#define 1 2
)",
     R"()", "macro-name-missing"},
    {R"(#version 450
#define
)",
     R"()", "macro-name-missing"},
    {R"(#version 450
#define A 1
#define A 1
#define A  1
A
)",
     R"(1)", ""},
    {R"(#version 450
#define A 1 + 2
#define A 1 +2
)",
     R"()", "macro-redefined"},
    {R"(#version 450
#define A(x) x
#define A(y) y
)",
     R"()", "macro-redefined"},
    {R"(#version 450
#define A(x) x
#define A x
)",
     R"()", "macro-redefined"},
    {R"(#version 450
#undef FOO
#undef
)",
     R"()", "macro-name-missing"},
    {R"(#version 450
#undef FOO BAR
)",
     R"()", "extra-tokens"},
    {R"(#version 450
#define GL_FOO 1
)",
     R"()", "macro-name-reserved"},
    {R"(#version 450
#define __FOO 1
)",
     R"()", "macro-name-underscores"},
    {R"(#version 450
#define defined 1
)",
     R"()", "macro-name-predefined"},
    {R"(#version 450
#ifdef
#endif
)",
     R"()", "condition-name-missing"},
    {R"(#version 450
#ifdef 1
#endif
)",
     R"()", "condition-name-missing"},
    {R"(#version 450
#if
#endif
)",
     R"()", "condition-missing"},
    {R"(#version 450
#if 1 +
#endif
)",
     R"()", "condition-unexpected"},
    {R"(#version 450
#if (1
#endif
)",
     R"()", "condition-unexpected"},
    {R"(#version 450
#if 1)
#endif
)",
     R"()", "extra-tokens"},
    {R"(#version 450
#if 1 2
#endif
)",
     R"()", "extra-tokens"},
    {R"(#version 450
#if 1/0
#endif
)",
     R"()", "condition-division-by-zero"},
    {R"(#version 450
#if 0 && 1/0
#endif
#if 1 || 1/0
ok
#endif
)",
     R"(ok)", ""},
    {R"(#version 450
#if 1.0
#endif
)",
     R"()", "condition-number"},
    {R"(#version 450
#if FOO
a
#else
b
#endif
#if FOO == 0
c
#endif
)",
     R"(b c)", ""},
    {R"(#version 310 es
#if FOO
#endif
)",
     R"()", "condition-undefined-name"},
    {R"(#version 310 es
#if 0 && FOO
#else
a
#endif
#if 1 || FOO
b
#endif
)",
     R"(a b)", ""},
    {R"(#version 310 es
#if defined(FOO) && FOO > 1
#endif
x
)",
     R"(x)", ""},
    {R"(#version 450
#endif
)",
     R"()", "condition-without-if"},
    {R"(#version 450
#else
)",
     R"()", "condition-without-if"},
    {R"(#version 450
#elif 1
)",
     R"()", "condition-without-if"},
    {R"(#version 450
#if 1
)",
     R"()", "unterminated-conditional"},
    {R"(#version 450
#if 0
#else
#else
#endif
)",
     R"()", "condition-after-else"},
    {R"(#version 450
#if 1
#else
#elif 1
#endif
)",
     R"()", "condition-after-else"},
    {R"(#version 450
#if 0
#else
#elif 1
#endif
)",
     R"()", "condition-after-else"},
    {R"(#version 450
#endif x
)",
     R"()", "condition-without-if"},
    {R"(#version 450
#foo
)",
     R"()", "unknown-directive"},
    {R"(#version 450
#if 0
#foo
#endif
ok
)",
     R"(ok)", ""},
    {R"(#version 450
#error foo
)",
     R"()", "user-error"},
    {R"(#version 450
#if 0
#error foo
#endif
ok
)",
     R"(ok)", ""},
    {R"(#version 450
__LINE__
__LINE__ /*

*/ __LINE__
#define L __LINE__
L
L
)",
     R"(2 3 5 7 8)", ""},
    {R"(#version 450
#line 10
__LINE__
#line 20 
__LINE__
)",
     R"(10 20)", ""},
    {R"(#version 450
#line 10 3
__LINE__
)",
     R"(10)", ""},
    {R"(#version 450
#define N 33
#line N
__LINE__
)",
     R"(33)", ""},
    {R"(#version 450
#line
)",
     R"()", "line-malformed"},
    {R"(#version 450
#line foo
)",
     R"()", "line-malformed"},
    {R"(#version 450
__VERSION__ VULKAN GL_core_profile
)",
     R"(450 100 1)", ""},
    {R"(#version 460 core
__VERSION__
)",
     R"(460)", ""},
    {R"(#version 320 es
__VERSION__ GL_ES
)",
     R"(320 1)", ""},
    {R"(#version 450
#version 450
)",
     R"()", "version-not-first"},
    {R"(int x;
#version 450
)",
     R"(int x;)", "version-not-first"},
    {R"(#version 999
)",
     R"()", "unknown-version"},
    {R"(// c
/* d
*/
#version 450
x
)",
     R"(x)", ""},
    {R"(#version 450
#pragma foo
#pragma
#pragma optimize(on)
#pragma debug(off)
x
)",
     R"(x)", ""},
    {R"(#version 450
#extension GL_EXT_foo : enable
#extension GL_EXT_scalar_block_layout : require
#extension all : warn
#extension all : disable
x
)",
     R"(x)", "extension-ignored"},
    {R"(#version 450
#extension all : enable
)",
     R"()", "all-extensions-behavior"},
    {R"(#version 450
#extension GL_EXT_scalar_block_layout require
)",
     R"()", "extension-malformed"},
    {R"(#version 450
#extension GL_EXT_scalar_block_layout : foo
)",
     R"()", "unknown-extension-behavior"},
    {R"(#version 450
#extension
)",
     R"()", "extension-malformed"},
    {R"(#version 450
#define A a##b
#define ab 5
A
)",
     R"(5)", ""},
    {R"(#version 450
#define A ##b
)",
     R"()", "paste-at-edge"},
    {R"(#version 450
#define A a##
)",
     R"()", "paste-at-edge"},
    {R"(#version 450
#define A(x) x##
)",
     R"()", "paste-at-edge"},
    {R"(#version 450
#define P(a,b) a##b
P(+,+) P(<,<) P(<<,=) P(a,1) P(1,a) P(.,5) P(1,.) P(_,_)
)",
     R"(++ << <<= a1 1a .5 1. __)", ""},
    {R"(#version 450
#define P(a,b) a##b
P(+,-)
)",
     R"(+)", "paste-invalid"},
    {R"(#version 450
#define P(a,b) a ## b
#define hash P(#,#)
x
)",
     R"(x)", ""},
    {R"(#version 450
#define f(x) #x
f(1)
)",
     R"(1)", "stringize-operator"},
    {R"(#version 450
#define f(x) x
f(1
2
3)
f(/* c */ 4 // d
)
)",
     R"(1 2 3 4)", ""},
    {R"(#version 450
#define f(x) x
f(1
)",
     R"()", "macro-unterminated"},
    {R"(#version 450
#define f(x) x
f(
#if 1
a
#else
b
#endif
)
)",
     R"(a)", ""},
    {R"(#version 450
#define max(a,b) ((a) > (b) ? (a) : (b))
max(max(1,2),max(3,max(4,5)))
)",
     R"(((((1) > (2) ? (1) : (2))) > (((3) > (((4) > (5) ? (4) : (5))) ? (3) : (((4) > (5) ? (4) : (5))))) ? (((1) > (2) ? (1) : (2))) : (((3) > (((4) > (5) ? (4) : (5))) ? (3) : (((4) > (5) ? (4) : (5)))))))",
     ""},
    {R"(#version 450
#define SCALE 2.0
#define COLOR vec4(1.0, SCALE, 0, 1)
vec4 c = COLOR * SCALE;
)",
     R"(vec4 c = vec4(1.0, 2.0, 0, 1) * 2.0;)", ""},
    {R"(#version 450
#define DECL(type, name) type name;
DECL(float, a) DECL(mat4, b)
)",
     R"(float a; mat4 b;)", ""},
    {R"(#version 450
#define if while
if (1)
#undef if
if (1)
)",
     R"(while(1) if(1))", ""},
    {R"(#version 450
#define X X
#define Y X Y
X Y
)",
     R"(X X Y)", ""},
    {R"(#version 450
#define foo foo(1)
foo
#define bar(x) bar
bar(bar(1))(2)
)",
     R"(foo(1) bar(2))", ""},
    {R"(#version 450
#define AA BB
#define BB CC
#define CC AA
AA BB CC
)",
     R"(AA BB CC)", ""},
    {R"(#version 450
#define f(a,b) a b
#define g f(
g 1, 2)
)",
     R"(1 2)", ""},
    {R"(#version 450
#define f(a) a
#define e
f(e) f(e e) f(e 1 e)
)",
     R"(1)", ""},
    {R"(#version 450
#define str x.y.z.w[0].r
str
1.0.x 1..x 1.e5 .5e-3f 0x1FuL 1e5 1.5lf 08.5
)",
     R"(x.y.z.w[0].r 1.0 .x 1. .x 1.e5 .5e-3f 0x1FuL 1e5 1.5lf 08.5)", ""},
    {R"(#version 450
a+++b a---b a<<=b a>>=b a<=>b a&&&b a|||b a^^^b a==-b a=-b a!=!b
)",
     R"(a ++ + b a -- - b a <<= b a >>= b a <= > b a && & b a || | b a ^^ ^ b a == - b a = - b a != ! b)",
     ""},
    {R"(#version 450
#define A defined(B)
#if A
#endif
)",
     R"()", "defined-from-macro"},
    {R"(#version 450
#define EMPTY
#if EMPTY
#endif
)",
     R"()", "condition-missing"},
    {R"(#version 450
#define EMPTY
#if EMPTY 1 EMPTY
x
#endif
)",
     R"(x)", ""},
    {R"(#version 450
#define f(x) (x*2)
#if f(2) == 4
x
#endif
#if f (3) == 6
y
#endif
)",
     R"(x y)", ""},
    {R"(#version 450
#if 1 //comment
a
#endif // foo
#ifdef X /* c
d */
b
#else /* e */
c
#endif
)",
     R"(a c)", ""},
    {R"(#version 450
#if (1) || (0 && (1 == 2))
a
#endif
)",
     R"(a)", ""},
    {R"(#version 450
#if 2147483647 + 1 > 0
a
#else
b
#endif
)",
     R"(a)", ""},
    {R"(#version 450
#if 0xFFFFFFFF == -1
a
#else
b
#endif
)",
     R"(b)", ""},
    {R"(#version 450
#if 1 == 1 == 1
a
#endif
#if 3 > 2 > 1
b
#else
c
#endif
#if 8 >> 1 << 2 == 16
d
#endif
#if 10 - 3 - 2 == 5
e
#endif
#if - - 1 == 1
f
#endif
#if +1
g
#endif
)",
     R"(a c d e f g)", ""},
    {R"(#version 450
#ifdef GL_EXT_scalar_block_layout
a
#endif
#if GL_EXT_scalar_block_layout == 1
b
#endif
#ifdef GL_NOT_THERE
c
#endif
)",
     R"(a b)", ""},
    {R"(#version 450
#define TYPE(n) vec##n
TYPE(2) a; TYPE(3) b;
)",
     R"(vec2 a; vec3 b;)", ""},
    {R"(#version 450
#define C(x) x##_t
C(float16) C(int8)
)",
     R"(float16_t int8_t)", ""},
    {R"(#version 450
#define VA(x) v_##x##_##x
VA(q)
)",
     R"(v_q_q)", ""},
    {R"(#version 450
x = 1;	y = 2;    z
)",
     R"(x = 1; y = 2; z)", ""},
    {R"(#version 450
"foo" 
)",
     R"("foo")", ""},
    {R"(#version 450
#define S "str"
S
)",
     R"("str")", ""},
    {R"(#version 450
a @ b
)",
     R"(a @ b)", ""},
    {R"(#version 450
$
)",
     R"($)", ""},
    {R"(#version 450
#define Q @
ok
)",
     R"(ok)", ""},
    {R"(#version 450
/* unterminated
)",
     R"()", "unterminated-comment"},
    {R"(#version 450
#if 0
/* unterminated
#endif
)",
     R"()", "unterminated-comment unterminated-conditional"},
    {R"(#version 450
#define f(x,y,z,w) x y z w
f(1,,,2) f(,,,)
)",
     R"(1 2)", ""},
    {R"(#version 450
#define D(x) x x
D(D(D(1)))
)",
     R"(1 1 1 1 1 1 1 1)", ""},
    {R"(#version 450
#define LONG(a) a a a a
LONG(LONG(LONG(x)))
)",
     R"(x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x)",
     ""},
    {R"(#version 450
#define m1(x) m2(x)+1
#define m2(x) m3(x)+2
#define m3(x) m1(x)+3
m1(0)
)",
     R"(m1(0) + 3 + 2 + 1)", ""},
    {R"(#version 450
#define NOARGS() f
#define f(x) (x)
NOARGS()(3)
)",
     R"((3))", ""},
    {R"(#version 450
#define T1(x) x
T1(T1)(5)
T1(T1(T1))(6)
)",
     R"(T1(5) T1(6))", ""},
    {R"(#version 450
#define inner(x) outer
#define outer(x) inner(x)
outer(1)(2)(3)
)",
     R"(outer(2) (3))", ""},
    {R"(#version 450
#define one 1
#define add(a,b) a+b
add(one,one) add(add(one,one),one)
)",
     R"(1 + 1 1 + 1 + 1)", ""},
    {R"(#version 450
#define dbl(x) x,x
#define sum(a,b) a+b
sum(dbl(1))
)",
     R"()", "macro-argument-count"},
    {R"(#version 450
#define comma ,
#define id(x) x
#define two(a,b) a|b
id(two)(1 comma 2)
)",
     R"()", "macro-argument-count"},
    {R"(#version 450
#define kw uniform
layout(set=0) kw buffer_;
)",
     R"(layout(set = 0) uniform buffer_;)", ""},
    {R"(#version 450
#ifndef A
#define A
#elif defined(B)
#else
#endif
A x
)",
     R"(x)", ""},
    {R"(#version 450
#if defined(A) || \
    defined(B)
#else
x
#endif
)",
     R"(x)", ""},
    {R"(#version 450
#define M \
  a \
  b
M
)",
     R"(a b)", ""},
    {R"(#version 450
#define E1(x) E2(x
#define E2(x) [x]
E1(3))
)",
     R"([3])", ""},
    {R"(#version 450
#define vec3 float
vec3 x; vec3(1)
)",
     R"(float x; float(1))", ""},
    {R"(#version 450
#define a(x) b(x)
#define b(x) x
a(a(a(b)))(1)
)",
     R"(b(1))", ""},
};

}  // namespace

TEST_CASE("preprocessing gives the tokens and diagnostics of the table", "[preprocess]") {
  for (const Row& row : kRows) {
    INFO(row.source);
    const Preprocessed r = preprocessText(row.source);
    CHECK(r.text == row.text);
    CHECK(r.ids == row.diagnostics);
  }
}

TEST_CASE("line ends are CR, LF, CR LF and LF CR", "[preprocess]") {
  for (std::string_view newline : {"\n", "\r", "\r\n", "\n\r"}) {
    std::string source;
    for (char c : std::string_view("#version 450\n#define A 1 \\\n + 2\n#if 0\nno\n#endif\nA // "
                                   "c\n__LINE__\n/* \n */ __LINE__\n")) {
      if (c == '\n')
        source += newline;
      else
        source += c;
    }
    const Preprocessed r = preprocessText(source);
    CHECK(r.text == "1 + 2 8 10");
    CHECK(r.ids.empty());
  }
}

TEST_CASE("inactive groups are skipped whatever they hold", "[preprocess]") {
  const std::string_view skipped[] = {"#if 1\n#else\n#endif\n",
                                      "// #endif\n",
                                      "/* #endif */\n",
                                      "/*\n#endif\n*/\n",
                                      "// \\\n#endif\n",
                                      "x #endif\n",
                                      "/* */ x #endif\n",
                                      "\\\n x #endif\n",
                                      "# endif_\n",
                                      "##endif\n",
                                      "#define X /*\n#endif\n*/\n",
                                      "a / b * c\n",
                                      "//* x\n",
                                      "/\\\n* \n#endif\n*\\\n/\n",
                                      "/\\\n/ \\\n#endif\n",
                                      "\"/*\" */\n",
                                      "'\n",
                                      "#ifdef\n#endif\n",
                                      "#if (\n#endif\n"};
  for (std::string_view text : skipped) {
    INFO(text);
    const Preprocessed r = preprocessText("#version 450\n#if 0\n" + std::string(text) + "#endif\nend\n");
    CHECK(r.text == "end");
    CHECK(r.ids.empty());
  }
  const std::string_view ends[] = {"#endif\n",
                                   "  #endif\n",
                                   "\t#\tendif\n",
                                   "/* c */ #endif\n",
                                   "/* c \n */ /* d */ #endif\n",
                                   "# /* c */ endif\n",
                                   "#end\\\nif\n",
                                   "  \\\n  #endif\n",
                                   "x\n#else\n#endif\n",
                                   "#elif 0\n#endif // c\n",
                                   "/**/#endif\n",
                                   "//\n#endif\n",
                                   "x/**/\n#endif"};
  for (std::string_view text : ends) {
    INFO(text);
    const Preprocessed r = preprocessText("#version 450\n#if 0\n" + std::string(text) + "\nend\n");
    CHECK(r.text == "end");
    CHECK(r.ids.empty());
  }
}

TEST_CASE("macros of the command line are defined before the text", "[preprocess]") {
  CompileOptions options;
  options.macros = {
      {"A", "1", false}, {"F(x)", "x+x", false}, {"B", "2", false}, {"B", "", true}, {"C", "", false}};
  Preprocessed r = preprocessText("#version 450\nA F(3) B [C] __LINE__\n#ifdef C\nc\n#endif\n", options);
  CHECK(r.text == "1 3 + 3 B[] 2 c");
  CHECK(r.ids.empty());
  options.macros = {{"GL_X", "1", false}};
  r = preprocessText("#version 450\n", options);
  CHECK(r.ids == "macro-name-reserved");
  options.macros = {{"A", "1\n#define B 2\\", false}};
  r = preprocessText("#version 450\nB\n", options);
  CHECK(r.text == "B");
}

TEST_CASE("includes", "[preprocess]") {
  CompileOptions options;
  options.include = [](std::string_view name, bool angled, std::string_view from,
                       uint32_t depth) -> std::optional<IncludeResult> {
    if (name == "a") return IncludeResult{"dir/a", "in_a __LINE__ __FILE__\n#define FROM_A 1\n"};
    if (name == "who")
      return IncludeResult{"who",
                           std::string(from) + (angled ? " angled " : " quoted ") + std::to_string(depth)};
    if (name == "nested") return IncludeResult{"nested", "#include \"a\"\n#include <who>\n"};
    if (name == "open") return IncludeResult{"open", "#if 1\n"};
    if (name == "close") return IncludeResult{"close", "#endif\n"};
    if (name == "once") return IncludeResult{"once", "#pragma once\nonly\n"};
    if (name == "self") return IncludeResult{"self", "#include \"self\"\n"};
    if (name == "twice")
      return IncludeResult{"twice" + std::to_string(depth), "#include \"twice\"\n#include \"twice\"\n"};
    if (name == "f") return IncludeResult{"f", "f"};
    return std::nullopt;
  };
  Preprocessed r = preprocessText("#version 450\n#include \"a\"\nFROM_A __LINE__\n", options);
  CHECK(r.text == "in_a 1 \"dir/a\" 1 3");
  CHECK(r.ids.empty());
  r = preprocessText("#version 450\n#include \"nested\" // c\nend", options);
  CHECK(r.text == "in_a 1 \"dir/a\" nested angled 2 end");
  CHECK(preprocessText("#version 450\n#include \"nothing\"\n", options).ids == "include-not-found");
  CHECK(preprocessText("#version 450\n#include\n", options).ids == "include-malformed");
  CHECK(preprocessText("#version 450\n#include \"a\n", options).ids == "include-malformed");
  CHECK(preprocessText("#version 450\n#include \"a\" x\n", options).ids == "extra-tokens");
  CHECK(preprocessText("#version 450\n#include \"open\"\n", options).ids == "unterminated-conditional");
  CHECK(preprocessText("#version 450\n#if 1\n#include \"close\"\n#endif\n", options).ids ==
        "condition-without-if");
  CHECK(preprocessText("#version 450\n#include \"once\"\n#include \"once\"\n", options).text == "only");
  CHECK(preprocessText("#version 450\n#include \"self\"\n", options).ids == "include-too-deep");
  CHECK(preprocessText("#version 450\n#include \"twice\"\n", options).ids == "include-too-deep");
  r = preprocessText("#version 450\n#define f(x) x\n#include \"f\"\n(1)\n", options);
  CHECK(r.text == "f (1)");
  CHECK(preprocessText("#version 450\n#define f(x) x\nf(\n#include \"a\"\n)\n", options).ids ==
        "directive-in-arguments");
  CHECK(preprocessText("#version 450\n#include \"a\"\n").ids == "include-needs-extension");
  // A limit on all text together ends what includes itself twice at every level.
  options.limits.includeDepth = 4000;
  options.limits.sourceBytes = 1 << 20;
  CHECK(preprocessText("#version 450\n#include \"twice\"\n", options).ids == "source-too-large");
}

TEST_CASE("limits end in one fatal diagnostic", "[preprocess]") {
  CompileOptions options;
  // A billion laughs.
  std::string laughs = "#version 450\n#define L0 ha\n";
  for (int i = 1; i < 40; ++i)
    laughs +=
        "#define L" + std::to_string(i) + " L" + std::to_string(i - 1) + " L" + std::to_string(i - 1) + "\n";
  options.limits.macroTokens = 100000;
  CHECK(preprocessText(laughs + "L39\n", options).ids == "macro-expansion-too-large");
  laughs = "#version 450\n#define E(x) x x\n";
  std::string call = "1";
  for (int i = 0; i < 60; ++i) call = "E(" + call + ")";
  CHECK(preprocessText(laughs + call, options).ids == "macro-expansion-too-large");
  // Arguments inside arguments.
  call = "1";
  for (int i = 0; i < 5000; ++i) call = "I(" + call + ")";
  options.limits.macroTokens = 100 << 20;
  CHECK(preprocessText("#version 450\n#define I(x) x\n" + call, options).ids == "macro-nesting-too-deep");
  // Macros whose names come out of each other.
  std::string chain = "#version 450\n";
  for (int i = 0; i < 6000; ++i)
    chain += "#define C" + std::to_string(i) + " C" + std::to_string(i + 1) + " x\n";
  CHECK(preprocessText(chain + "C0\n", options).ids == "macro-nesting-too-deep");
  std::string ifs = "#version 450\n";
  for (int i = 0; i < 2000; ++i) ifs += "#if 1\n";
  CHECK(preprocessText(ifs, options).ids == "conditionals-too-deep");
  ifs = "#version 450\n#if 0\n";
  for (int i = 0; i < 2000; ++i) ifs += "#if 1\n";
  CHECK(preprocessText(ifs, options).ids == "conditionals-too-deep");
  CHECK(preprocessText("#version 450\n#if " + std::string(100000, '(') + "1\n#endif\n").ids ==
        "condition-too-deep");
  CHECK(preprocessText("#version 450\n#if " + std::string(100000, '!') + "1\n#endif\n").ids ==
        "condition-too-deep");
  options.limits.expandedTokens = 100;
  CHECK(preprocessTokens("#version 450\n" + std::string(200, ';'), options).ids == "too-many-tokens");
}

TEST_CASE("extensions switch by events, and know versions and targets", "[preprocess]") {
  CompileOptions options;
  options.spirvVersion = 0x00010600;
  Tokens t = preprocessTokens(
      "#version 450\n#extension GL_EXT_buffer_reference2 : require\nx\n#extension GL_EXT_buffer_reference2 : "
      "disable\n",
      options);
  CHECK(t.ids.empty());
  REQUIRE(t.source.extensions.size() == 4);
  CHECK(t.source.extensions[0].extension == ExtensionId::GL_EXT_buffer_reference);
  CHECK(t.source.extensions[1].extension == ExtensionId::GL_EXT_buffer_reference2);
  CHECK(t.source.extensions[1].behavior == ExtensionBehavior::Require);
  CHECK(t.kinds() == std::vector<Tok>{Tok::ExtensionEvent, Tok::ExtensionEvent, Tok::Identifier,
                                      Tok::ExtensionEvent, Tok::ExtensionEvent, Tok::End});
  CHECK(preprocessTokens("#version 450\n#extension GL_FOO : require\n").ids == "extension-not-supported");
  CHECK(preprocessTokens("#version 450\n#extension GL_FOO : enable\n").ids == "extension-ignored");
  CHECK(preprocessTokens("#version 450\n#extension GL_FOO : require\n")
            .messages.find("extension not supported: GL_FOO") != std::string::npos);
  CHECK(preprocessTokens("#version 430\n#extension GL_KHR_cooperative_matrix : enable\n").ids ==
        "extension-needs-version");
  CHECK(preprocessTokens("#version 310 es\n#extension GL_KHR_cooperative_matrix : enable\n").ids ==
        "extension-needs-version");
  CHECK(preprocessTokens("#version 320 es\n#extension GL_ARB_gpu_shader_int64 : require\n").ids ==
        "extension-not-supported");
  const std::string matrix2 =
      "#version 450\n#extension GL_NV_cooperative_matrix2 : enable\n#ifdef "
      "GL_NV_cooperative_matrix2\nyes\n#endif\n";
  CHECK(preprocessTokens(matrix2, options).ids.empty());
  CHECK(preprocessTokens(matrix2, options).source.extensions.back().extension ==
        ExtensionId::GL_NV_cooperative_matrix2);
  CHECK(preprocessText(matrix2, options).text == "yes");
  options.spirvVersion = 0x00010500;
  CHECK(preprocessTokens(matrix2, options).ids == "extension-needs-spirv");
  CHECK(preprocessTokens(matrix2, options).source.extensions.empty());
  CHECK(preprocessText(matrix2, options).text.empty());
}

TEST_CASE("versions and profiles", "[preprocess]") {
  struct {
    std::string_view line;
    uint32_t version;
    Profile profile;
    std::string_view ids;
  } const rows[] = {
      {"#version 450\n", 450, Profile::Core, ""},
      {"#version 460 core\n", 460, Profile::Core, ""},
      {"#version 310 es\n", 310, Profile::Es, ""},
      {"#version 320 es // c\n", 320, Profile::Es, ""},
      {"#version 450 compatibility\n", 450, Profile::Core, "compatibility-profile"},
      {"#version 450 foo\n", 450, Profile::Core, "unknown-profile"},
      {"#version 450 core x\n", 450, Profile::Core, "extra-tokens"},
      {"#version 450 es\n", 320, Profile::Es, "unknown-version"},
      {"#version 310\n", 310, Profile::Es, "es-profile-required"},
      {"#version 140 core\n", 450, Profile::Core, "profile-not-allowed version-too-old-for-compute"},
      {"#version 330\n", 450, Profile::Core, "version-too-old-for-compute"},
      {"#version 130\n", 450, Profile::Core, "version-too-old-for-vulkan"},
      {"#version 300 es\n", 310, Profile::Es, "version-too-old-for-vulkan"},
      {"#version 100\n", 310, Profile::Es, "version-too-old-for-vulkan"},
      {"#version 455\n", 450, Profile::Core, "unknown-version"},
      {"#version x\n", 450, Profile::Core, "version-malformed"},
      {"#version\n", 450, Profile::Core, "version-malformed"},
      {"\n#version 310 es\n", 310, Profile::Es, "version-not-on-first-line"},
      {"/**/ #version 310 es\n", 310, Profile::Es, "version-not-on-first-line"},
      {"", 450, Profile::Core, "version-too-old-for-vulkan"},
      {"#if 0\n#version 450\n#endif\n", 450, Profile::Core, "version-too-old-for-vulkan"},
  };
  for (const auto& row : rows) {
    INFO(row.line);
    const Tokens t = preprocessTokens(row.line);
    CHECK(t.source.version == row.version);
    CHECK(t.source.profile == row.profile);
    CHECK(t.ids == row.ids);
  }
  CompileOptions options;
  options.forcedVersion = 450;
  CHECK(preprocessTokens("x", options).ids.empty());
  CHECK(preprocessTokens("#version 460\n", options).ids == "version-forced");
  CHECK(preprocessTokens("#version 460\n", options).source.version == 450);
}

TEST_CASE("pragmas are events with their text", "[preprocess]") {
  const Tokens t = preprocessTokens(
      "#version 450\n#define use 1\n#pragma  use_vulkan_memory_model\n#pragma foo( a /* c */ b ) // "
      "d\n#pragma\n"
      "#pragma optimize ( off )\n");
  CHECK(t.ids.empty());
  REQUIRE(t.source.pragmas.size() == 4);
  CHECK(t.source.pragmas[0].text == "use_vulkan_memory_model");
  CHECK(t.source.pragmas[1].text == "foo( a b )");
  CHECK(preprocessTokens("#version 450\n#pragma optimize(maybe)\n").ids == "pragma-malformed");
  CHECK(preprocessTokens("#version 450\n#pragma STDGL invariant(all)\n").ids == "pragma-reserved");
}

TEST_CASE("places of macro tokens lead to the use, with the definition as a note", "[preprocess]") {
  const Tokens t = preprocessTokens("#version 450\n#define A a @ b\n  A\n#line 70 9\n$\n");
  CHECK(t.ids == "invalid-character invalid-character");
  CHECK(t.messages ==
        "main.comp:3:3: error: `@` cannot be part of a token [invalid-character]\n"
        "    3 |   A\n"
        "      |   ^\n"
        "      = GLSL 4.60, 3.1\n"
        "main.comp:2:13: note: in the expansion of macro `A`\n"
        "    2 | #define A a @ b\n"
        "      |             ^\n"
        "9:70:1: error: `$` cannot be part of a token [invalid-character]\n"
        "   70 | $\n"
        "      | ^\n"
        "      = GLSL 4.60, 3.1\n");
}
