/** A modal dialog hides the message field from all input: files that come to the page are not for it. */
export const isFieldCovered = (): boolean =>
  document.querySelector('[data-composer]')?.closest('[aria-hidden="true"], [inert]') != null
