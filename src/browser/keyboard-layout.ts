import {createValueStore} from './value-store.ts'

/** The part of the Keyboard API used here; TypeScript's DOM types lack it. */
type Keyboard = {getLayoutMap: () => Promise<ReadonlyMap<string, string>>}

/** The character of each key without other keys, by its code; empty where the browser does not say. */
export const keyboardLayout = createValueStore<ReadonlyMap<string, string>>(new Map())

/** Asks the browser once more: the user may have changed the layout. */
export async function readKeyboardLayout(): Promise<void> {
  const {keyboard} = navigator as Navigator & {keyboard?: Keyboard} // see the type above
  if (keyboard === undefined) return
  try {
    keyboardLayout.set(await keyboard.getLayoutMap())
  } catch {
    // refused by a policy of the page around this one: positions have the names of an English keyboard
  }
}
