import {useCallback} from 'react'
import {useMediaQuery, wide} from '#ui/use-media-query.ts'

/**
 * After a result or an example filled the form: where the form is beside the results its first text gets the focus, so
 * that the change is seen and can go on by keyboard. In the dock the prompt shows what changed.
 */
export function useSelectForm(): () => void {
  const isWide = useMediaQuery(wide)
  return useCallback(() => {
    if (!isWide) return
    requestAnimationFrame(() => {
      const field = document.querySelector<HTMLElement>('aside form textarea, aside form input[type="text"]')
      field?.focus({preventScroll: false})
    })
  }, [isWide])
}
