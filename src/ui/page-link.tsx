import type {AnchorHTMLAttributes, MouseEvent} from 'react'

export type Anchor = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A real link to a page of the app that a plain click follows without loading it anew. */
export function PageLink({href, onFollow, ...rest}: Anchor & {href: string; onFollow: () => void}) {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        if (!isPlainClick(event) || event.defaultPrevented) return
        event.preventDefault()
        onFollow()
      }}
    />
  )
}
