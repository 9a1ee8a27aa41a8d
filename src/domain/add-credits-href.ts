/** Address of the page that sells credits for an application and leads back to `back`, an address of ours. */
export const addCreditsHref = (applicationId: string | undefined, back: string): string =>
  `/console/applications${applicationId === undefined ? '' : `/${encodeURIComponent(applicationId)}/extra`}?redirect=${encodeURIComponent(back)}`
