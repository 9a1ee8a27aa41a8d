import {useLayoutEffect, type RefObject} from 'react'

/** Makes a text area as tall as its text. */
export function useTextHeight(field: RefObject<HTMLTextAreaElement | null>, value: string) {
  useLayoutEffect(() => {
    const element = field.current
    if (element === null) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight}px`
  }, [field, value])
}
