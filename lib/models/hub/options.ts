// Options of hub models, their defaults and checks.
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { AsOfError, checkPath, invalidArgument } from '../../errors.js';
import type { Progress, RunOptions } from '../../records.js';

export interface HubOptions extends RunOptions {
  /** The model's name on the hub: `owner/name`. */
  hub: string;
  /**
   * A branch, tag or commit; default `main`. A cached download is used without a request to the
   * hub: for a newer `main`, name its commit.
   */
  revision?: string | undefined;
  /**
   * The model file in the repository, where it is another: `onnx/model_quantized.onnx`. Default
   * onnx/model.onnx, else model.onnx.
   */
  file?: string | undefined;
  /**
   * The folder of downloads. Default: the environment's ASOF_CACHE, else asof in XDG_CACHE_HOME,
   * else in the user's cache folder.
   */
  cache?: string | undefined;
  /**
   * The hub, before `/owner/name/resolve/revision/file`. Default: the environment's HF_ENDPOINT,
   * else https://huggingface.co.
   */
  baseUrl?: string | undefined;
  /** Bearer token, sent to the hub only. Never part of a message. */
  token?: string | undefined;
  /** Called with bytes as they come; the total grows as the sizes of files become known. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** The name of a model on a hub. */
export const hubId = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;

/** A model of a hub as the options name it, checked. */
export interface HubModel {
  id: string;
  revision: string;
  file: string | undefined;
  baseUrl: string;
  token: string | undefined;
  /** The model's own folder of the cache. */
  folder: string;
}

export function checkHubOptions(options: HubOptions): HubModel {
  const {
    hub: id,
    revision = 'main',
    file,
    cache = defaultCache(),
    baseUrl = process.env['HF_ENDPOINT'] || 'https://huggingface.co',
    token,
  } = options;
  if (typeof id !== 'string' || !hubId.test(id))
    throw invalidArgument('hub', 'the name of a model on a hub, owner/name', id);
  if (!relative(revision)) throw invalidArgument('revision', 'a branch, tag or commit', revision);
  if (file !== undefined && !(relative(file) && file.endsWith('.onnx'))) {
    throw invalidArgument('file', 'the path of an .onnx file in the repository', file);
  }
  checkPath('cache', cache, 'the path of a folder');
  if (token !== undefined && (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))) {
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      'Expected token to be visible ASCII without blanks, received something else.',
      { details: { argument: 'token' } },
    );
  }
  const base = checkBaseUrl(baseUrl);
  const host = `${base.host}${base.pathname}`.replace(/\/+$/, '').replace(/[^\w.-]/g, '_');
  return {
    id,
    revision,
    file,
    token,
    baseUrl: base.href.replace(/\/+$/, ''),
    folder: join(resolve(cache), 'hub', host, ...id.split('/')),
  };
}

/** A path that stays in its folder, of characters that every file system takes. */
function relative(path: unknown): path is string {
  return (
    typeof path === 'string' &&
    /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) &&
    path.length <= 200 &&
    !path.split('/').some((part) => /^\.+$/.test(part))
  );
}

function checkBaseUrl(baseUrl: string): URL {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw invalidArgument('baseUrl', 'an http or https URL', baseUrl);
  if (url.username === '' && url.password === '' && url.search === '' && url.hash === '')
    return url;
  const message =
    'Expected baseUrl to be a URL without user, query and fragment, received one with some. ' +
    'Give a token as token.';
  throw new AsOfError('ERR_INVALID_ARGUMENT', message, { details: { argument: 'baseUrl' } });
}

function defaultCache(): string {
  const { ASOF_CACHE: own, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (own) return own;
  // The XDG base directory specification requires relative paths to be ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'asof');
  return process.platform === 'win32' && local
    ? join(local, 'asof', 'cache')
    : join(homedir(), '.cache', 'asof');
}
