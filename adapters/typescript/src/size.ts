/** What becomes of a result that is too large to send. */

import { ErrorInfo, type Loss, Metadata, type Part, Result, StoredResult } from "./core.js";
import type { StoredLink } from "./store/interface.js";

export const MIME_TYPE = "application/json";
const NAME = "result.json";
/** Code points of an error's message that are kept when nothing else helps. */
export const LONGEST_MESSAGE = 2000;

const BEHIND_LINK = "the output was too large; it is in the stored result behind the link";
const GONE = "the output was too large, and this is not stored";
/** Origins whose foreign values belong to a protocol and not to the stored result. */
const ORIGINS: readonly string[] = ["mcp", "a2a"];

/**
 * The result that goes into a store: without what a model must not read back.
 *
 * That is presentation, and the foreign values of MCP and A2A, of the result and of its parts.
 */
export function toStore(result: Result): Result {
  let stored = result;
  const { metadata } = result;
  if (metadata !== undefined && (metadata.presentation.size > 0 || metadata.foreign)) {
    const foreign = metadata.foreign?.replace({ mcp: undefined, a2a: undefined });
    const rest = metadata.replace({ presentation: undefined, foreign });
    stored = stored.replace({ metadata: rest.isEmpty ? undefined : rest });
  }
  if (result.content.some((part) => part.foreign !== undefined)) {
    // A part has foreign values of these two origins only.
    const content = result.content.map((part) => part.replace({ foreign: undefined }) as Part);
    stored = stored.replace({ content });
  }
  return stored;
}

/** The result that is sent in place of one whose output had `size` bytes. */
export function linked(result: Result, link: StoredLink, size: number): Result {
  return result.replace({
    data: undefined,
    error: result.error?.replace({ details: undefined }),
    content: [],
    stored: [storedOf(link)],
    metadata: (result.metadata ?? new Metadata({})).replace({ responseSize: size }),
  });
}

/** The least that is sent: the link, and of a failure code and message. */
export function shortened(result: Result, link: StoredLink): Result {
  const stored = [storedOf(link)];
  if (result.error === undefined) {
    return new Result({ stored });
  }
  const { code, message } = result.error;
  const points = Array.from(message);
  const cut =
    points.length > LONGEST_MESSAGE ? `${points.slice(0, LONGEST_MESSAGE).join("")}…` : message;
  return new Result({ error: new ErrorInfo({ code, message: cut }), stored });
}

/** What reading the output of {@link linked} does not give back of the whole result. */
export function lossesOfLinked(result: Result, ofRendering: readonly Loss[]): readonly Loss[] {
  const moved = present(result, ["data", "content", "stored"]);
  if (result.error?.details !== undefined) {
    moved.push("/error/details");
  }
  if (result.metadata?.responseSize !== undefined) {
    moved.push("/metadata/response_size");
  }
  return [...moved.map(behindLink), ...foreignOfParts(result), ...ofResult(ofRendering)];
}

/** What reading the output of {@link shortened} does not give back of the whole result. */
export function lossesOfShortened(result: Result, ofRendering: readonly Loss[]): readonly Loss[] {
  const moved = present(result, ["data", "summary", "content", "stored"]);
  const cut: Loss[] = [];
  if (result.error !== undefined) {
    if (result.error.details !== undefined) {
      moved.push("/error/details");
    }
    if (Array.from(result.error.message).length > LONGEST_MESSAGE) {
      const reason = `cut at ${LONGEST_MESSAGE.toLocaleString("en")} code points; whole in the stored result`;
      cut.push({ path: "/error/message", status: "text form", reason });
    }
  }
  const gone: string[] = [];
  const metadata = result.metadata?.toValue() ?? {};
  const foreign = Object.keys((metadata["foreign"] as object | undefined) ?? {});
  for (const name of Object.keys(metadata)) {
    if (name === "presentation") {
      gone.push("/metadata/presentation");
    } else if (name !== "foreign") {
      moved.push(`/metadata/${name}`);
    }
  }
  gone.push(...ORIGINS.filter((one) => foreign.includes(one)).map(atForeign));
  moved.push(...foreign.filter((one) => !ORIGINS.includes(one)).map(atForeign));
  return [
    ...cut,
    ...moved.map(behindLink),
    ...gone.map((path): Loss => ({ path, status: "withheld", reason: GONE })),
    ...foreignOfParts(result),
    ...ofResult(ofRendering),
  ];
}

function storedOf({ uri, size, expiresAt }: StoredLink): StoredResult {
  return new StoredResult({ uri, size, mimeType: MIME_TYPE, name: NAME, expiresAt });
}

/** The pointers of those of these fields that the result has. */
function present(
  result: Result,
  names: readonly ("data" | "summary" | "content" | "stored")[],
): string[] {
  return names
    .filter((name) => {
      const value = result[name];
      return value !== undefined && !(Array.isArray(value) && value.length === 0);
    })
    .map((name) => `/${name}`);
}

function behindLink(path: string): Loss {
  return { path, status: "withheld", reason: BEHIND_LINK };
}

function atForeign(origin: string): string {
  return `/metadata/foreign/${origin}`;
}

function foreignOfParts(result: Result): Loss[] {
  return result.content.flatMap((part, index): Loss[] =>
    part.foreign === undefined
      ? []
      : [{ path: `/content/${index}/foreign`, status: "withheld", reason: GONE }],
  );
}

/** Those of a renderer's losses that are of the whole result, and not of the link sent instead. */
function ofResult(losses: readonly Loss[]): Loss[] {
  const ofLink = ["/stored", "/metadata/response_size"];
  return losses.filter(({ path }) => !ofLink.some((start) => path.startsWith(start)));
}
