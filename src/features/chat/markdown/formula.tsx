import {memo, useLayoutEffect, useRef} from 'react'
import {classNames} from '#ui/class-names.ts'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'
import styles from './formula.module.css'
import edges from './scroll-edges.module.css'
import {useScrolls} from './use-scrolls.ts'

const rendering = lazyModule(() => import('./render-formula.ts'))

/**
 * KaTeX writes MathML: no web fonts, no style sheet, readable by screen readers. It renders into our element (no HTML
 * strings), trusts no command that loads or links, and is bounded (security R04).
 */
function useRendered(tex: string, display: boolean) {
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
  return {target, isLoading: renderer === undefined}
}

function InlineFormula({tex}: {tex: string}) {
  const {target, isLoading} = useRendered(tex, false)
  return (
    <span
      ref={target}
      dir="ltr"
      role="math"
      aria-label={tex}
      className={styles.formula}
      data-loading={isLoading || undefined}
    />
  )
}

function DisplayedFormula({tex}: {tex: string}) {
  const {target, isLoading} = useRendered(tex, true)
  const scrolls = useScrolls(target, {isSized: false, stands: isLoading ? undefined : tex})
  return (
    <span
      ref={target}
      dir="ltr"
      role="math"
      aria-label={tex}
      className={classNames(styles.displayFormula, edges.edges)}
      data-loading={isLoading || undefined}
      tabIndex={scrolls ? 0 : undefined}
    />
  )
}

/** A formula in its line or in lines of its own. */
export const Formula = memo(function Formula({tex, display}: {tex: string; display: boolean}) {
  return display ? <DisplayedFormula tex={tex} /> : <InlineFormula tex={tex} />
})
