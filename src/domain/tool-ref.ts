/** The part of a `ToolIdentity` that the lists need, as plain data. */
export type ToolRef = {tool: string; service: string; serviceId: string}
