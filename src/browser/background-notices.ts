import {remembered} from './remembered-value.ts'

/** Whether the user wants notifications of the system in this browser. */
export const backgroundNotices = remembered(
  'atrium.notices',
  (text) => text === 'on',
  (isOn) => (isOn ? 'on' : 'off'),
)
