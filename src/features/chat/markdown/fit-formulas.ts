/* Paper cannot be scrolled: a formula that is wider than its column is printed in smaller letters. */

/** CSS pixels; a narrower formula fits any paper. */
const narrow = 240
/** Percent of the column: small letters are as wide as whole pixels, a little wider than their size says. */
const share = 96
/** The lines that an inline formula stands in. */
const blocks = 'p, li, dd, h1, h2, h3, h4, h5, h6'

const fitted = new Set<ElementCSSInlineStyle>()
let isPrinting = false

const isStyled = (element: Element | null): element is Element & ElementCSSInlineStyle =>
  element !== null && 'style' in element

/** CSS pixels from the first letter to the last one: the box of a row of MathML ends before them. */
function widthOf(content: Element): number {
  const letters = document.createRange()
  letters.selectNodeContents(content)
  return letters.getBoundingClientRect().width
}

/** While the page is printed, bounds the letters of a formula by the width of its column. */
export function fitFormula(formula: HTMLElement): void {
  if (!isPrinting) return
  const math = formula.querySelector('math')
  const content = math?.querySelector('semantics > :first-child')
  if (!isStyled(math) || !content) return
  const width = widthOf(content)
  if (width < narrow) return
  const isDisplayed = math.getAttribute('display') === 'block'
  const column = isDisplayed ? formula : formula.closest<HTMLElement>(blocks)
  // the width of the column on the paper, which no script can measure before it is printed
  column?.style.setProperty('container-type', 'inline-size')
  const widthInLetters = width / parseFloat(getComputedStyle(math).fontSize)
  // as formula.module.css, or smaller
  math.style.fontSize = `min(1.08em, ${share}cqi / ${widthInLetters})`
  for (const part of [math, column]) if (isStyled(part)) fitted.add(part)
}

addEventListener('beforeprint', () => {
  isPrinting = true
  document.querySelectorAll<HTMLElement>('[role="math"]').forEach(fitFormula)
})

addEventListener('afterprint', () => {
  isPrinting = false
  for (const {style} of fitted) {
    style.removeProperty('container-type')
    style.removeProperty('font-size')
  }
  fitted.clear()
})
