/** Whether this JavaScript can write an integer beyond 2^53: Node 20 cannot, whatever its flags. */
export const EXACT = "rawJSON" in JSON && !process.versions.node.startsWith("20.");
