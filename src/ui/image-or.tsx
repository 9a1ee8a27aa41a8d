import {useState, type ComponentProps, type ReactNode} from 'react'

type ImageOrProps = Omit<ComponentProps<'img'>, 'src' | 'alt' | 'onError'> & {
  /** Addresses, the best first; empty ones are skipped. */
  sources: readonly (string | null | undefined)[]
  /** Stands for the image where none can be shown. */
  children?: ReactNode
}

/** The first of some images that the browser can show: an image may be deleted, or its host forbidden to the page. */
export function ImageOr({sources, children, ...image}: ImageOrProps) {
  const [failures, setFailures] = useState<readonly string[]>([])
  const source = sources.find((address) => address && !failures.includes(address))
  return source ? <img {...image} src={source} alt="" onError={() => setFailures([...failures, source])} /> : children
}
