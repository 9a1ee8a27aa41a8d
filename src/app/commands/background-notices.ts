import {useActor} from '@xstate/react'
import {fromPromise} from 'xstate'
import {backgroundNotices} from '#browser/background-notices.ts'
import type {NoticesSettingState} from '#features/shell/settings/notices-setting.tsx'
import {
  backgroundNoticesMachine,
  type BackgroundNoticesSnapshot,
  type Permission,
} from '#machines/background-notices/background-notices.machine.ts'

const logic = backgroundNoticesMachine.provide({
  actors: {askPermission: fromPromise<Permission, undefined>(() => Notification.requestPermission())},
  actions: {storeWish: (_, {isWanted}) => backgroundNotices.set(isWanted)},
})

/** Service workers show them: both are missing on an address without https. */
const canNotify = () => 'Notification' in globalThis && 'serviceWorker' in navigator

const settingOf = (snapshot: BackgroundNoticesSnapshot): NoticesSettingState =>
  snapshot.value === 'deciding' ? 'off' : snapshot.value

/** The setting and the function that changes it. */
export function useBackgroundNotices() {
  const isMissing = !canNotify()
  const [snapshot, send] = useActor(logic, {
    input: {permission: isMissing ? 'default' : Notification.permission, isWanted: backgroundNotices.get()},
  })
  return {
    state: isMissing ? ('missing' as const) : settingOf(snapshot),
    onChange: (isOn: boolean) => send({type: isOn ? 'notices.turnOn' : 'notices.turnOff'}),
  }
}
