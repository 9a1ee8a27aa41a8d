import type {AnchorHTMLAttributes, MouseEvent} from 'react'
import {useChat, type ChatPlace} from './chat.context.tsx'

type Anchor = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A real link to a page of the app that a plain click follows without loading it anew. */
export function AppLink({href, onFollow, ...rest}: Anchor & {href: string; onFollow?: () => void}) {
  const {navigation} = useChat()
  const follow = onFollow ?? (() => navigation.follow(href))
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        if (!isPlainClick(event) || event.defaultPrevented) return
        event.preventDefault()
        follow()
      }}
    />
  )
}

/** A link to a place in the chat. */
export function PlaceLink({place, onGo, ...rest}: Anchor & {place: ChatPlace; onGo?: () => void}) {
  const {navigation} = useChat()
  const go = () => {
    navigation.go(place)
    onGo?.()
  }
  return <AppLink {...rest} href={navigation.href(place)} onFollow={go} />
}
