import {PageLink, type Anchor} from '#ui/page-link.tsx'
import {useChat, type ChatLocation} from './chat.context.tsx'

/** A link to any other page of the app. */
export function AppLink({href, ...rest}: Anchor & {href: string}) {
  const {navigation} = useChat()
  return <PageLink {...rest} href={href} onFollow={() => navigation.follow(href)} />
}

/** A link to a location in the chat. */
export function LocationLink({location, onGo, ...rest}: Anchor & {location: ChatLocation; onGo?: () => void}) {
  const {navigation} = useChat()
  const go = () => {
    navigation.go(location)
    onGo?.()
  }
  return <PageLink {...rest} href={navigation.href(location)} onFollow={go} />
}
