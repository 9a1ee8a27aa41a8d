import type {Site} from '#contract/management.ts'

/** A site's admins may edit it (contract/screens §7), and those of whom the server says so: the operators. */
export const mayEditSite = (site: Site | undefined, userId: string) =>
  site?.admins?.includes(userId) === true || site?.editable === true
