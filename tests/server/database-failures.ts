/** The database is away: nothing listens at its address. */
export const databaseAway = () =>
  Object.assign(new Error('connect ECONNREFUSED'), {code: 'ECONNREFUSED', syscall: 'connect'})

/** The database went away in the middle: what was sent may have been committed. */
export const connectionCut = () => new Error('Connection terminated unexpectedly')
