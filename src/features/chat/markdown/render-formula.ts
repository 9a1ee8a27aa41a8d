import katex from 'katex'
import {fitFormula} from './fit-formulas.ts'

/** Beside the cells of a formula that has a number. */
const beside = '.mtr-glue, .mml-eqn-num'

const hasStyle = (element: Element): element is Element & ElementCSSInlineStyle => 'style' in element

/**
 * The columns of a formula stand as its environment says, an equals sign below the other. Browsers with MathML Core
 * know neither of the two attributes that say so.
 */
function alignColumns(table: Element): void {
  const sides = table.getAttribute('columnalign')?.split(' ') ?? []
  const gaps = table.getAttribute('columnspacing')?.split(' ') ?? []
  for (const row of table.children)
    for (const [index, cell] of [...row.children].filter((each) => !each.matches(beside)).entries()) {
      if (!hasStyle(cell)) continue
      cell.style.textAlign = sides[index] ?? sides.at(-1) ?? ''
      const gap = index === 0 ? '0' : (gaps[index - 1] ?? gaps.at(-1))
      if (gap !== undefined) Object.assign(cell.style, {paddingInlineStart: gap, paddingInlineEnd: '0'})
    }
}

/** KaTeX writes MathML into the element; it throws for a formula that it cannot read. */
export function renderFormula(tex: string, target: HTMLElement, displayMode: boolean): void {
  katex.render(tex, target, {
    displayMode,
    output: 'mathml',
    trust: false,
    strict: 'ignore',
    maxExpand: 500,
    maxSize: 20,
    throwOnError: true,
  })
  for (const table of target.querySelectorAll('mtable[columnalign]')) alignColumns(table)
  fitFormula(target)
}
