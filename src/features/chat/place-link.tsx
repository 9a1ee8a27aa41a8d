import type {AnchorHTMLAttributes, MouseEvent} from 'react'
import {useChat, type ChatPlace} from './chat.context.tsx'

type PlaceLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {place: ChatPlace; onGo?: () => void}

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A real link to a place in the chat that a plain click follows without loading the page. */
export function PlaceLink({place, onGo, children, ...rest}: PlaceLinkProps) {
  const {navigation} = useChat()
  return (
    <a
      {...rest}
      href={navigation.href(place)}
      onClick={(event) => {
        if (!isPlainClick(event) || event.defaultPrevented) return
        event.preventDefault()
        navigation.go(place)
        onGo?.()
      }}
    >
      {children}
    </a>
  )
}
