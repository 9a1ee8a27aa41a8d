import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useSessionActor} from '../actors.context.tsx'
import {Credits} from './credits.tsx'

/** End of the head: the balance. Phones leave a chat's head to the model. */
export function HeadEnd({isChat}: {isChat: boolean}) {
  const provisioning = useSessionActor('provisioning/chat')
  const isPhone = useMediaQuery(phone)
  return provisioning === undefined || (isChat && isPhone) ? null : <Credits provisioning={provisioning} />
}
