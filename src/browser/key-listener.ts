let press: ((event: KeyboardEvent) => void) | undefined

/** Loads what a press of a key means; a press before that waits for it. */
export const prepareKeys = async (): Promise<(event: KeyboardEvent) => void> =>
  (press ??= (await import('./key-press.ts')).pressKey)

/** Listens from the start of the page to its end. */
export const listenToKeys = (): void =>
  addEventListener('keydown', (event) => {
    if (press) press(event)
    else
      prepareKeys().then(
        (pressKey) => pressKey(event),
        // without its code no key is a command; the next press asks again
        () => undefined,
      )
  })
