import {chatCapabilities, type ChatCapability, type Service} from '#contract/management.ts'

/** The wire extensions that a service names; a foreign back end names none and gets none. */
export const capabilitiesOf = (service: Service | undefined): ChatCapability[] =>
  chatCapabilities.filter((capability) => service?.metadata?.capabilities?.includes(capability))
