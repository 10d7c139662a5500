import { describe, expect, it } from 'vitest'
import { readMathml } from '../../src/components/create-math.tsx'

const math = (inside: string): string =>
  `<span class="katex"><math xmlns="http://www.w3.org/1998/Math/MathML">${inside}</math></span>`

describe('the reader of MathML', () => {
  it('gives elements with the attributes on the list', () => {
    expect(
      readMathml(
        math(
          '<mspace width="2em"/><mi style="color:red" class="a" id="b" href="c" mathcolor="red" onclick="d" mathvariant="normal">x&amp;&lt;&gt;&quot;&#x27;</mi>',
        ),
      ),
    ).toEqual({
      name: 'math',
      attributes: {},
      children: [
        { name: 'mspace', attributes: { width: '2em' }, children: [], variant: undefined },
        { name: 'mi', attributes: { mathvariant: 'normal' }, children: ['x&<>"\''], variant: undefined },
      ],
      variant: undefined,
    })
  })

  it.each(['width="101em"', 'width="-1000em"', 'width="calc(1em)"', 'width="1em;"', 'height="2lineheight"'])(
    'drops a size that is none, or too large: %s',
    (attribute) => {
      expect(readMathml(math(`<mspace ${attribute}></mspace>`)).children[0]).toMatchObject({ attributes: {} })
    },
  )

  it.each([
    ['an unknown element', '<script>alert(1)</script>'],
    ['an element of HTML', '<img src="x"/>'],
    ['a picture of MathML', '<mglyph src="x"></mglyph>'],
    ['foreign content', '<annotation-xml encoding="text/html"><a></a></annotation-xml>'],
    ['capitals', '<MI>x</MI>'],
    ['an attribute without quotes', '<mi class=a>x</mi>'],
    ['a comment', '<!-- x -->'],
    ['an unknown entity', '<mi>&nope;</mi>'],
    ['an entity that is not closed', '<mi>a & b</mi>'],
    ['an element that is not closed', '<mi>x'],
    ['elements across each other', '<mi><mo></mi></mo>'],
    ['more elements in each other than a formula has', '<mrow>'.repeat(201) + '</mrow>'.repeat(201)],
    ['a second root', '<mi>x</mi></math><math>'],
  ])('refuses %s', (_, inside) => {
    expect(() => readMathml(math(inside))).toThrow(/^MathML /)
  })

  it.each(['', '<span></span>', '<math>', '</math>'])('refuses what is not a formula: %s', (text) => {
    expect(() => readMathml(text)).toThrow(/^MathML /)
  })
})
