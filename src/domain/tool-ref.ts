/** What the lists need of a tool (`ToolIdentity`), as plain data. */
export type ToolRef = {tool: string; service: string; serviceId: string}
