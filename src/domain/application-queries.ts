/** Page size of the general applications list (spec §9). */
const applicationPageSize = 100

/** All that a user can pay with, newest first: asked for where plans for all services are sold (`general-plans`). */
export const allApplicationsQuery = (userId: string) =>
  ({limit: applicationPageSize, offset: 0, user_id: userId, ordering: '-created_at'}) as const

/** The general wallet of a user (spec §7): limit 100, offset 0, newest first, type usage, scope global. */
export const globalApplicationsQuery = (userId: string) =>
  ({...allApplicationsQuery(userId), type: 'Usage', scope: 'Global'}) as const
