import {useSelector} from '@xstate/react'
import {SandboxBadge} from '#features/shell/bars.tsx'
import {selectIsSandbox} from '#machines/provisioning/provisioning.selectors.ts'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useSessionActor} from '../actors.context.tsx'
import {Credits} from './credits.tsx'

/** End of the head: that the chat answers from the sandbox, and the balance. Phones leave a chat's head to the model. */
export function HeadEnd({isChat}: {isChat: boolean}) {
  const provisioning = useSessionActor('provisioning/chat')
  const isSandbox = useSelector(provisioning, (snapshot) => snapshot !== undefined && selectIsSandbox(snapshot))
  const isPhone = useMediaQuery(phone)
  return (
    <>
      {isChat && isSandbox && <SandboxBadge />}
      {provisioning !== undefined && !(isChat && isPhone) && <Credits provisioning={provisioning} />}
    </>
  )
}
