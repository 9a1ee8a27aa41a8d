import type {NoticesSnapshot} from './notices.machine.ts'

export const selectNotices = ({context}: NoticesSnapshot) => context.notices
