/** A `ref` for the element that the user goes on with: it gets the focus when the element gets the ref. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
