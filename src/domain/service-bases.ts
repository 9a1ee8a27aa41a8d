/** Base URLs of the services a page talks to (spec §7, contract/startup-auth §1), without trailing slashes. */
export type ServiceBases = {hub: string; platform: string; auth: string; api: string}

const table = (suffix: '' | '-test'): ServiceBases => ({
  hub: `https://hub${suffix}.acedata.cloud`,
  platform: `https://platform${suffix}.acedata.cloud`,
  auth: `https://auth${suffix}.acedata.cloud`,
  api: `https://api${suffix}.acedata.cloud`,
})

export const productionServices = table('')
export const testServices = table('-test')

/** The test form is used when the page's origin is exactly the test hub (security R13). */
export const serviceBases = (pageOrigin: string): ServiceBases =>
  pageOrigin === testServices.hub ? testServices : productionServices
