import type {NoticesActor} from '#machines/notices/notices.machine.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'

/** Actors that exist only while a user is signed in. */
export type MediaLookup = {
  userId: () => string | undefined
  language: () => string
  list: (tool: string) => TaskListActor | undefined
  provisioning: (tool: string) => ProvisioningActor | undefined
  notices: () => NoticesActor | undefined
}
