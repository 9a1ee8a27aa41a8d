import type {SessionSnapshot} from './session.machine.ts'
import type {SessionChild} from './session.types.ts'

export const selectUser = ({context}: SessionSnapshot) => context.user
/** What this browser kept has been read; provisioning and conversations run. */
export const selectIsActive = (snapshot: SessionSnapshot) => snapshot.hasTag('active')
export const selectProvisioning = ({children}: SessionSnapshot) => children['provisioning/chat']
export const selectConversations = ({children}: SessionSnapshot) => children.conversations
/** Why a part of the session broke last; shown where it stands. */
export const selectCrash = ({context}: SessionSnapshot, child: SessionChild) => context.crashes[child]?.failure
