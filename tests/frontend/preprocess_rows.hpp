// The preprocessor's table: texts, the tokens that they become, and the diagnostics.
#pragma once

#include <string_view>

namespace coopc::tests {

struct PreprocessRow {
  std::string_view source;
  std::string_view text;         ///< tokens, with the blanks of the text output, lines joined
  std::string_view diagnostics;  ///< identifiers in the order of report
  bool reference = true;  ///< the reference compiler agrees: false where it errs or leaves the C++ rules
};

inline constexpr PreprocessRow kPreprocessRows[] = {
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
     "", false},
    {R"(#version 450
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),
 t(10,,), t(,11,), t(,,12), t(,,) };
)",
     R"(int j[] = { 123, 45, 67, 89, 10, 11, 12, };)", "", false},
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
     R"(A() 123)", "", false},
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
     R"(yes yes2 yes3 yes4 yes5 yes6 yes7)", "", false},
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
     R"(ok)", "", false},
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
     R"([][][(,)][(1, 2)])", "", false},
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
     R"(ok)", "", false},
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
     R"()", "line-malformed", false},
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
     R"(x)", ""},
    {R"(#version 450
#extension all : enable
)",
     R"()", "all-extensions-behavior", false},
    {R"(#version 450
#extension GL_EXT_scalar_block_layout require
)",
     R"()", "extension-malformed"},
    {R"(#version 450
#extension GL_EXT_scalar_block_layout : foo
)",
     R"()", "unknown-extension-behavior", false},
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
     R"()", "paste-at-edge", false},
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
     R"(++ << <<= a1 1a .5 1. __)", "", false},
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
     R"(x)", "", false},
    {R"(#version 450
#define f(x) #x
f(1)
)",
     R"(1)", "stringize-operator", false},
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
     R"(a)", "", false},
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
     R"()", "defined-from-macro", false},
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
     R"(a)", "", false},
    {R"(#version 450
#if 0xFFFFFFFF == -1
a
#else
b
#endif
)",
     R"(b)", "", false},
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
     R"("foo")", "", false},
    {R"(#version 450
#define S "str"
S
)",
     R"("str")", "", false},
    {R"(#version 450
a @ b
)",
     R"(a @ b)", "", false},
    {R"(#version 450
$
)",
     R"($)", "", false},
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

}  // namespace coopc::tests
