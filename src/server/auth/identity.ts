/** The caller, read from a verified token and nothing else (security R19). */
export type Identity = {
  userId: string
  role: 'member' | 'operator'
  /** The sign-in (token family) of a user token; also kept by the browser credentials made in it. */
  familyId: string | undefined
  /** Set for credential tokens only. */
  credentialId: string | undefined
  applicationId: string | undefined
}
