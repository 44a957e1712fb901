/**
 * `toolresult/a2a/express`: the SDK's REST transport, with answers of revision 0.3 that carry all
 * that the mapping has.
 *
 * docs: docs/typescript.md
 */

import { A2A_VERSION_HEADER } from "@a2a-js/sdk";
import { type RestHandlerOptions, restHandler as ofTheSdk } from "@a2a-js/sdk/server/express";

import { isOld, rewritten } from "./handler.js";
import { eventPutRight, MARKED, putRight } from "./rest-03.js";

type Handler = ReturnType<typeof ofTheSdk>;
type Write = (chunk: unknown, ...rest: unknown[]) => boolean;

/**
 * Express' handler of REST; arguments are those of `@a2a-js/sdk/server/express`.
 *
 * The request handler is one of `withResults`. Without `legacyCompat` it is the SDK's own.
 */
export function restHandler(options: RestHandlerOptions): Handler {
  if (options.legacyCompat?.enabled !== true) {
    return ofTheSdk(options);
  }
  const requestHandler = rewritten(options.requestHandler, (version) =>
    isOld(version) ? MARKED : undefined,
  );
  const handler = ofTheSdk({ ...options, requestHandler });
  return (request, response, next) => {
    if (isOld(request.header(A2A_VERSION_HEADER))) {
      const { json } = response;
      const write = response.write.bind(response) as Write;
      response.json = (body) => json.call(response, putRight(body));
      // The SDK writes events one by one.
      response.write = ((chunk, ...rest) =>
        write(typeof chunk === "string" ? eventPutRight(chunk) : chunk, ...rest)) satisfies Write;
    }
    return handler(request, response, next);
  };
}
