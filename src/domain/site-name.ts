/** The name of a site as it is shown: its title, ours where it has none. */
export const siteNameOf = (title: string | null | undefined): string => title?.trim() || 'Atrium'
