/** The login frame; the message stream finds it by this id and trusts it alone (security R14). */
export const loginFrameId = 'login-frame'
