// Exports of training: row gathering, steps as tasks, checkpoints. Every other
// call on a running training throws until its promise settles.
#include <atomic>
#include <cmath>
#include <memory>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/handles.hpp"
#include "boundary/task.hpp"
#include "boundary/time_encoder_arguments.hpp"
#include "training/adapter.hpp"
#include "training/on_device.hpp"
#include "training/run.hpp"
#include "training/time_encoder.hpp"

namespace asof::boundary {
namespace {

constexpr napi_type_tag rows_tag = {0x2d9b6c41f07e4a35, 0xb1c85e7a3f60d294};
constexpr napi_type_tag training_tag = {0x95e01b7cd3a84f26, 0x8a4f72c91be05d63};
constexpr double most_dimensions = 16384;
constexpr double most_rank = 4096;
constexpr double most_batch = 1 << 20;
constexpr std::size_t most_time_batch =
    4096;  // its loss compares every question of a batch with every passage
constexpr double most_parameters = 1 << 26;
constexpr double most_rows = 4294967294;

// Rows may grow until the first training reads them.
struct GatheredRows {
  std::shared_ptr<training::Rows> rows;
  bool sealed = false;
};

struct Training {
  std::unique_ptr<training::Run> run;
  std::atomic<bool> busy{false};
};

using Handle = std::shared_ptr<Training>;

Handle& resting(const Napi::Value& value) {
  Handle& training =
      contents<Handle>(value, training_tag, "training", "what startAdapterTraining gave");
  if (training->busy.load())
    refuse("training", "at rest", "one that is running: await its promise first");
  return training;
}

Napi::Object object(const Napi::Value& value, const char* name) {
  if (!value.IsObject() || value.IsFunction() || value.IsTypedArray())
    refuse(name, "an object", kind_of(value));
  return value.As<Napi::Object>();
}

double finite(const Napi::Value& value, const char* name, double low, double high) {
  double given = number(value, name);
  if (!(given >= low && given <= high))
    refuse(name, "a number from " + std::to_string(low) + " to " + std::to_string(high),
           std::to_string(given));
  return given;
}

Napi::Value training_rows(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    GatheredRows gathered{std::make_shared<training::Rows>()};
    gathered.rows->dimensions = size(info[0], "dimensions", 1, most_dimensions);
    return handle_of(info.Env(), rows_tag, std::move(gathered));
  });
}

GatheredRows& rows_of(const Napi::Value& value) {
  return contents<GatheredRows>(value, rows_tag, "rows", "what trainingRows gave");
}

// appendTrainingRows(rows, vectors): number
Napi::Value append_training_rows(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    GatheredRows& gathered = rows_of(info[0]);
    auto vectors = array<float>(info[1], "vectors");
    if (gathered.sealed)
      refuse("rows", "without a training", "rows that a training reads. Gather others");
    training::Rows& rows = *gathered.rows;
    if (vectors.size() % rows.dimensions != 0) {
      refuse("vectors", "a whole number of rows of " + std::to_string(rows.dimensions),
             "an array of " + std::to_string(vectors.size()));
    }
    const std::size_t added = vectors.size() / rows.dimensions;
    if (static_cast<double>(rows.count() + added) > most_rows)
      refuse("rows", "below 2^32 - 1 rows", "more");
    rows.values.insert(rows.values.end(), vectors.begin(), vectors.end());
    return Napi::Number::New(info.Env(), static_cast<double>(rows.count()));
  });
}

training::Settings settings_of(const Napi::Object& request) {
  training::Settings settings;
  settings.seed = size(request.Get("seed"), "seed");
  settings.batch = size(request.Get("batch"), "batch", 1, most_batch);
  settings.steps = size(request.Get("steps"), "steps");
  settings.warmup = size(request.Get("warmup"), "warmup");
  settings.rate = finite(request.Get("rate"), "rate", 0, 1e6);
  settings.decay = finite(request.Get("decay"), "decay", 0, 1e6);
  settings.groups = copied(array<std::uint32_t>(request.Get("groups"), "groups"));
  return settings;
}

void check_groups(const training::Settings& settings, std::size_t examples) {
  double total = 0;
  for (std::uint32_t each : settings.groups) {
    if (each == 0) refuse("groups", "sizes of at least 1", "one of 0");
    total += each;
  }
  if (settings.groups.empty() || settings.groups.size() > settings.batch) {
    refuse("groups", "1 to " + std::to_string(settings.batch) + " (a batch) of them",
           std::to_string(settings.groups.size()));
  }
  if (total > static_cast<double>(examples))
    refuse("groups", "at most the " + std::to_string(examples) + " triplets together",
           std::to_string(total));
}

// startAdapterTraining(rows, request): TrainingHandle
Napi::Value start_adapter_training(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    GatheredRows& gathered = rows_of(info[0]);
    Napi::Object request = object(info[1], "request");
    std::size_t rank = size(request.Get("rank"), "rank", 1, most_rank);
    bool shared = boolean(request.Get("shared"), "shared");
    if (4.0 * static_cast<double>(rank * gathered.rows->dimensions) > most_parameters)
      refuse("rank", "of at most 2^24 numbers a matrix", std::to_string(rank));
    auto numbers = [&](const char* name) {
      return copied(array<std::uint32_t>(request.Get(name), name));
    };
    training::Triplets triplets{numbers("question"), numbers("positive"), numbers("negative"),
                                copied(array<float>(request.Get("margin"), "margin"))};
    training::Settings settings = settings_of(request);
    check_groups(settings, triplets.margin.size());
    auto objective = std::make_unique<training::AdapterObjective>(
        gathered.rows, std::move(triplets), rank, shared);
    Handle training = std::make_shared<Training>();
    training->run = std::make_unique<training::Run>(std::move(objective), std::move(settings));
    gathered.sealed = true;
    return handle_of(info.Env(), training_tag, std::move(training));
  });
}

// startTimeTraining(rows, request): TrainingHandle
Napi::Value start_time_training(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    GatheredRows& gathered = rows_of(info[0]);
    Napi::Object request = object(info[1], "request");
    TimeNetwork network = time_network(request.Get("network"));
    auto numbers = [&](const char* name) {
      return copied(array<std::uint32_t>(request.Get(name), name));
    };
    training::TimeExamples examples{numbers("question"), numbers("positive"), numbers("negative")};
    training::TimeLoss loss{finite(request.Get("temperature"), "temperature", 1e-3, 1e3),
                            finite(request.Get("margin"), "margin", 0, 2),
                            finite(request.Get("hard"), "hard", 0, 1e3),
                            finite(request.Get("time"), "time", 0, 1e3)};
    training::Settings settings = settings_of(request);
    if (settings.batch > most_time_batch)
      refuse("batch", "at most 4096 examples", std::to_string(settings.batch));
    check_groups(settings, examples.question.size());
    Dates dates = dates_of(request.Get("dates"), gathered.rows->count());
    auto objective = std::make_unique<training::TimeEncoderObjective>(
        gathered.rows, std::move(dates), network, std::move(examples), loss);
    std::function<std::unique_ptr<training::Stepper>(const training::Objective&)> elsewhere;
    if (size(request.Get("device"), "device", 0, 1) == 1) {
      elsewhere = [](const training::Objective& of) {
        return training::stepper_on_device(0,
                                           static_cast<const training::TimeEncoderObjective&>(of));
      };
    }
    Handle training = std::make_shared<Training>();
    training->run = std::make_unique<training::Run>(std::move(objective), std::move(settings),
                                                    std::move(elsewhere));
    gathered.sealed = true;
    return handle_of(info.Env(), training_tag, std::move(training));
  });
}

// Starts a task with exclusive use of the training.
template <typename Work, typename Finish>
Napi::Value start_alone(Napi::Env env, const Handle& training, Work work, Finish finish) {
  training->busy.store(true);
  // At rest again once the task is gone, or where there was no memory for one.
  const Handle alone(training.get(), [training](Training* each) { each->busy.store(false); });
  return start_task(
      env, [alone, work = std::move(work)]() mutable { return work(*alone->run); },
      std::move(finish));
}

// runTraining(training, steps, cancellation?): Promise<{ step, loss }>
Napi::Value run_training(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    Handle& training = resting(info[0]);
    std::size_t steps = size(info[1], "steps");
    Cancel cancel = Cancellation::flag(info[2]);
    struct Advance {
      std::uint64_t step;
      double loss;
    };
    auto work = [steps, cancel](training::Run& run) {
      double loss = run.advance(steps, cancel);
      return Advance{run.state().step, loss};
    };
    return start_alone(info.Env(), training, std::move(work),
                       [](Napi::Env env, const Advance& advance) -> Napi::Value {
                         Napi::Object result = Napi::Object::New(env);
                         result.Set("step",
                                    Napi::Number::New(env, static_cast<double>(advance.step)));
                         result.Set("loss", Napi::Number::New(env, advance.loss));
                         return result;
                       });
  });
}

// trainingGradient(training, examples): Promise<{ loss, gradient }>
Napi::Value training_gradient(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    Handle& training = resting(info[0]);
    auto examples = copied(array<std::uint32_t>(info[1], "examples"));
    std::size_t count = training->run->objective().examples();
    for (std::uint32_t each : examples) {
      if (each >= count)
        refuse("examples", "numbers below " + std::to_string(count), std::to_string(each));
    }
    if (examples.size() > most_batch)
      refuse("examples", "at most 2^20 of them", std::to_string(examples.size()));
    struct Result {
      double loss;
      std::vector<float> gradient;
    };
    auto work = [examples = std::move(examples)](training::Run& run) {
      Result result{0, std::vector<float>(run.objective().parameters())};
      result.loss = run.objective().gradient(run.state().parameters, examples, result.gradient);
      return result;
    };
    return start_alone(info.Env(), training, std::move(work),
                       [](Napi::Env env, const Result& gradient) -> Napi::Value {
                         Napi::Object result = Napi::Object::New(env);
                         result.Set("loss", Napi::Number::New(env, gradient.loss));
                         result.Set("gradient", array_of(env, gradient.gradient));
                         return result;
                       });
  });
}

// trainingState(training): { step, parameters, first, second }
Napi::Value training_state(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const training::State& state = resting(info[0])->run->state();
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("step", Napi::Number::New(info.Env(), static_cast<double>(state.step)));
    result.Set("parameters", array_of(info.Env(), state.parameters));
    result.Set("first", array_of(info.Env(), state.first));
    result.Set("second", array_of(info.Env(), state.second));
    return result;
  });
}

// restoreTraining(training, state): void
Napi::Value restore_training(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Handle& training = resting(info[0]);
    Napi::Object state = object(info[1], "state");
    auto floats = [&](const char* name) { return copied(array<float>(state.Get(name), name)); };
    training->run->restore(
        {size(state.Get("step"), "step"), floats("parameters"), floats("first"), floats("second")});
    return info.Env().Undefined();
  });
}

// releaseTrainingMemory(training): void
Napi::Value release_training_memory(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    resting(info[0])->run->rest();
    return info.Env().Undefined();
  });
}

// adaptVectors(vectors, adapter, dimensions, cancellation?): Promise<Float32Array>
Napi::Value adapt_vectors(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto vectors = array<float>(info[0], "vectors");
    auto adapter = array<float>(info[1], "adapter");
    std::size_t d = size(info[2], "dimensions", 1, most_dimensions);
    Cancel cancel = Cancellation::flag(info[3]);
    if (vectors.size() % d != 0)
      refuse("vectors", "a whole number of rows of " + std::to_string(d),
             "an array of " + std::to_string(vectors.size()));
    if (adapter.size() % (2 * d) != 0)
      refuse("adapter", "two matrices of " + std::to_string(d) + " columns",
             "an array of " + std::to_string(adapter.size()));
    auto work = [vectors = copied(vectors), adapter = copied(adapter), d, cancel] {
      std::vector<float> out(vectors.size());
      std::size_t half = adapter.size() / 2;
      training::adapt({adapter.data(), adapter.data() + half, d, half / d}, vectors, out, cancel);
      return out;
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

}  // namespace

void export_training(Napi::Env env, Napi::Object exports) {
  exports.Set("trainingRows", Napi::Function::New(env, training_rows, "trainingRows"));
  exports.Set("appendTrainingRows",
              Napi::Function::New(env, append_training_rows, "appendTrainingRows"));
  exports.Set("startAdapterTraining",
              Napi::Function::New(env, start_adapter_training, "startAdapterTraining"));
  exports.Set("startTimeTraining",
              Napi::Function::New(env, start_time_training, "startTimeTraining"));
  exports.Set("runTraining", Napi::Function::New(env, run_training, "runTraining"));
  exports.Set("trainingGradient", Napi::Function::New(env, training_gradient, "trainingGradient"));
  exports.Set("trainingState", Napi::Function::New(env, training_state, "trainingState"));
  exports.Set("restoreTraining", Napi::Function::New(env, restore_training, "restoreTraining"));
  exports.Set("releaseTrainingMemory",
              Napi::Function::New(env, release_training_memory, "releaseTrainingMemory"));
  exports.Set("adaptVectors", Napi::Function::New(env, adapt_vectors, "adaptVectors"));
}

}  // namespace asof::boundary
