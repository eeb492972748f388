# llama.cpp's own server over a model file, on loopback: python3 serve.py MODEL PORT CONTEXT. It ends when its standard input does, so that it
# outlives no test. Chat completions and embeddings (the mean over the tokens, which says little; it is the protocol that is tested).
import sys

import xllamacpp

settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.hostnames = ["127.0.0.1"]
settings.port = int(sys.argv[2])
settings.n_ctx = int(sys.argv[3])
settings.n_parallel = 1
settings.cpuparams.n_threads = 1
settings.cpuparams_batch.n_threads = 1
settings.warmup = False
settings.embedding = True
settings.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
server = xllamacpp.Server(settings)
print("ready", flush=True)
sys.stdin.read()
