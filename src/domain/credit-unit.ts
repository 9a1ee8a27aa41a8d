/** A unit that has a name of its own. Credits are named in the reader's language, whatever the server calls them. */
export const ownUnit = (unit: string | null | undefined): string | undefined =>
  unit == null || /^credits?$/i.test(unit) ? undefined : unit
