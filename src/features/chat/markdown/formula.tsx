import {memo, useLayoutEffect, useRef} from 'react'
import styles from './formula.module.css'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'

const rendering = lazyModule(() => import('./render-formula.ts'))

/**
 * A formula. KaTeX writes MathML: no web fonts, no style sheet, readable by screen readers. It renders into our element
 * (no HTML strings), trusts no command that loads or links, and is bounded (security R04).
 */
export const Formula = memo(function Formula({tex, display}: {tex: string; display: boolean}) {
  const target = useRef<HTMLSpanElement>(null)
  const renderer = useLazy(rendering, true)
  useLayoutEffect(() => {
    if (renderer === undefined || target.current === null) return
    try {
      renderer.renderFormula(tex, target.current, display)
    } catch {
      // show a formula KaTeX cannot read as plain text, not in red
      target.current.textContent = tex
      target.current.dataset.source = 'true'
    }
  }, [renderer, tex, display])
  return (
    <span
      ref={target}
      dir="ltr"
      role="math"
      aria-label={tex}
      className={display ? styles.displayFormula : styles.formula}
      data-loading={renderer === undefined || undefined}
    />
  )
})
