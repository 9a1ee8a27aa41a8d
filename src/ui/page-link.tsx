import type {AnchorHTMLAttributes, MouseEvent, Ref} from 'react'

export type Anchor = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {ref?: Ref<HTMLAnchorElement>}

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A link to a page of the app. A plain click navigates without a page load. */
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
