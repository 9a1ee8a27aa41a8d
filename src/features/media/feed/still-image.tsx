import {useCallback, useState} from 'react'
import {safeUrl, stillOf} from '../media-url.ts'

/** Whether an element has come into view. Its `ref` goes onto it. */
export function useSeen(): [isSeen: boolean, ref: (element: Element | null) => (() => void) | undefined] {
  const [isSeen, setSeen] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({isIntersecting}) => isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [isSeen, ref]
}

/** A video without a poster, as its first image. Nothing of it is loaded before it is in view. */
export function Still({url}: {url: string | undefined}) {
  const [isSeen, ref] = useSeen()
  return (
    <video
      ref={ref}
      src={stillOf(safeUrl(url))}
      preload={isSeen ? 'metadata' : 'none'}
      muted
      playsInline
      aria-hidden="true"
      tabIndex={-1}
    />
  )
}
