import {useSelector} from '@xstate/react'
import {importCapability} from '#contract/imports.ts'
import {selectHasCapability} from '#machines/provisioning/provisioning.selectors.ts'
import {useSessionActor} from '../actors.context.tsx'

/** Whether the server takes conversations of a file. */
export const useOffersImport = (): boolean =>
  useSelector(useSessionActor('provisioning/chat'), (snapshot) => selectHasCapability(snapshot, importCapability))
