/** The facts about a tool that lists need (`ToolIdentity`), as plain data. */
export type ToolRef = {tool: string; service: string; serviceId: string}
