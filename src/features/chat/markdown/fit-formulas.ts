/* Paper cannot be scrolled: a formula that is wider than its column is printed in smaller letters. */

/** CSS pixels; a narrower formula fits any paper. */
const narrow = 240
/** Percent of the column: a row of MathML has room at its ends. */
const share = 96
/** CSS pixels beside the content of a cell on paper: its padding and a line. */
const cellEdges = 13
/** CSS pixels for the words of a column of a table without formulas, which break where they must. */
const wordsWidth = 64
/** Percent of a table that its formulas have at least. */
const leastShare = 50
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

type Measured = {math: Element & ElementCSSInlineStyle; width: number; widthInLetters: number}

function measured(formula: Element): Measured | undefined {
  const math = formula.querySelector('math')
  const content = math?.querySelector('semantics > :first-child')
  if (!isStyled(math) || !content) return undefined
  // else the width of a small letter is rounded to whole pixels, and thousands of them are wider than their size says
  math.style.textRendering = 'geometricPrecision'
  fitted.add(math)
  const width = widthOf(content)
  return {math, width, widthInLetters: width / parseFloat(getComputedStyle(math).fontSize)}
}

/**
 * @param column whose width on the paper bounds the letters: no script can measure it before it is printed
 * @param size of the letters, in its units
 */
function bound(math: Measured['math'], column: HTMLElement | null, size: string): void {
  column?.style.setProperty('container-type', 'inline-size')
  // as formula.module.css, or smaller
  math.style.fontSize = `min(1.08em, ${size})`
  if (column !== null) fitted.add(column)
}

function fitInColumn(formula: HTMLElement): void {
  const size = measured(formula)
  if (size === undefined || size.width < narrow) return
  const isDisplayed = size.math.getAttribute('display') === 'block'
  const column = isDisplayed ? formula : formula.closest<HTMLElement>(blocks)
  bound(size.math, column, `${share}cqi / ${size.widthInLetters}`)
}

/** A column of a table is as wide as its widest formula, so all formulas of a table have one size. */
function fitInTable(table: HTMLTableElement): void {
  const sizes: Measured[] = []
  const widths: number[] = []
  let columns = 0
  for (const cell of table.querySelectorAll<HTMLTableCellElement>('th, td')) {
    columns = Math.max(columns, cell.cellIndex + 1)
    for (const formula of cell.querySelectorAll('[role="math"]')) {
      const size = measured(formula)
      if (size === undefined) continue
      sizes.push(size)
      widths[cell.cellIndex] = Math.max(widths[cell.cellIndex] ?? 0, size.widthInLetters)
    }
  }
  const widthInLetters = widths.reduce((sum, width) => sum + width, 0)
  const others = columns - Object.keys(widths).length
  const free = `max(${leastShare}cqi, ${share}cqi - ${columns * cellEdges + others * wordsWidth}px)`
  for (const {math} of sizes) bound(math, table.parentElement, `${free} / ${widthInLetters}`)
}

/** While the page is printed, bounds the letters of a formula by the width of its column, or of its table. */
export function fitFormula(formula: HTMLElement): void {
  if (!isPrinting) return
  const table = formula.closest('table')
  if (table === null) fitInColumn(formula)
  else fitInTable(table)
}

addEventListener('beforeprint', () => {
  isPrinting = true
  const formulas = [...document.querySelectorAll<HTMLElement>('[role="math"]')]
  for (const formula of formulas) if (formula.closest('table') === null) fitInColumn(formula)
  for (const table of new Set(formulas.map((formula) => formula.closest('table'))))
    if (table !== null) fitInTable(table)
})

addEventListener('afterprint', () => {
  isPrinting = false
  for (const {style} of fitted) {
    style.removeProperty('container-type')
    style.removeProperty('font-size')
    style.removeProperty('text-rendering')
  }
  fitted.clear()
})
