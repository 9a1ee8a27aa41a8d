import type {EnvironmentSnapshot} from './environment.machine.ts'

/** Whether the browser has a network. `true` says little: the server may still be away. */
export const selectIsOnline = (snapshot: EnvironmentSnapshot) => snapshot.matches({network: 'online'})
export const selectIsVisible = (snapshot: EnvironmentSnapshot) => snapshot.matches({page: 'visible'})
