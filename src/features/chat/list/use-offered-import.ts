import {useSelector} from '@xstate/react'
import {importCapability} from '#contract/imports.ts'
import type {ProvisioningActor, ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {selectService} from '#machines/provisioning/provisioning.selectors.ts'
import {useChat} from '../chat.context.tsx'

const takesConversations = (snapshot: ProvisioningSnapshot) =>
  selectService(snapshot)?.metadata?.capabilities?.includes(importCapability) === true

/** Opens the import of conversations of another product; undefined where the server takes none. */
export function useOfferedImport(provisioning: ProvisioningActor): (() => void) | undefined {
  const {openSettings} = useChat()
  return useSelector(provisioning, takesConversations) ? () => openSettings('import') : undefined
}
