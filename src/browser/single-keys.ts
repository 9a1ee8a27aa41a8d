import {remembered} from './remembered-value.ts'

/** Whether keys work without Ctrl (WCAG 2.1.4). */
export const singleKeys = remembered(
  'atrium.singleKeys',
  (text) => text !== 'off',
  (isOn) => (isOn ? 'on' : 'off'),
)
