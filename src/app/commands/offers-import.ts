import {useSelector} from '@xstate/react'
import {importCapability} from '#contract/imports.ts'
import type {ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {selectService} from '#machines/provisioning/provisioning.selectors.ts'
import {useSessionActor} from '../actors.context.tsx'

const takesConversations = (snapshot: ProvisioningSnapshot | undefined) =>
  snapshot !== undefined && selectService(snapshot)?.metadata?.capabilities?.includes(importCapability) === true

/** Whether the server takes conversations of a file. */
export const useOffersImport = (): boolean => useSelector(useSessionActor('provisioning/chat'), takesConversations)
