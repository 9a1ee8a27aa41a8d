import {useLayoutEffect, type RefObject} from 'react'

/** In characters: browsers find the direction of a text anew at every key, which takes a second for 300,000. */
const longText = 50_000

/** Makes a text area as tall as its text, whose direction it finds while that is short. */
export function useTextHeight(field: RefObject<HTMLTextAreaElement | null>, value: string) {
  useLayoutEffect(() => {
    const element = field.current
    if (element === null) return
    const isLong = value.length > longText
    if (isLong === (element.dir === 'auto')) element.dir = isLong ? getComputedStyle(element).direction : 'auto'
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight}px`
  }, [field, value])
}
