import {createValueStore} from '#browser/value-store.ts'

export type SettingsTab = 'general' | 'chat' | 'appearance' | 'language' | 'keys' | 'data'
/**
 * The open layer over the page: the palette, the list of keys, the import, the question before signing out, or the
 * settings with one of their tabs.
 */
export type Layer = 'palette' | 'shortcuts' | 'import' | 'signOut' | SettingsTab

export const openLayer = createValueStore<Layer | undefined>(undefined)
